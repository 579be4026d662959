package loader_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sparkwheels/sparkwheels/go/loader"
	"github.com/sparkwheels/sparkwheels/go/pe"
	"github.com/sparkwheels/sparkwheels/go/stubdll"
)

// pythonStubs writes stubs of Python's DLLs into a new folder and returns them too.
func pythonStubs(t *testing.T) (string, []*stubdll.DLL) {
	t.Helper()
	dir := t.TempDir()
	var stubs []*stubdll.DLL
	defs := unpackPart(t, input(t, "EXPORTS"), 1, "src/python312.def", "src/python3.def")
	for _, def := range []string{"python312.def", "python3.def"} {
		text, err := os.ReadFile(filepath.Join(defs, "src", def))
		if err != nil {
			t.Fatal(err)
		}
		stub, err := stubdll.ParseDef(string(text), pe.MachineARM64)
		if err != nil {
			t.Fatalf("%s: %v", def, err)
		}
		write(t, dir, stub)
		stubs = append(stubs, stub)
	}
	return dir, stubs
}

func write(t *testing.T, dir string, stub *stubdll.DLL) {
	t.Helper()
	data, err := stub.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, stub.Name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// nvidia are DLLs that a wheel may leave to NVIDIA's packages.
var nvidia = []string{"cublas64_13.dll", "cudart64_13.dll"}

// nvidiaStubs makes stubs of NVIDIA's DLLs with what the images import from
// them. Their functions return 0, which is success.
func nvidiaStubs(images []*pe.Image) []*stubdll.DLL {
	var stubs []*stubdll.DLL
	for _, name := range nvidia {
		stub := &stubdll.DLL{Name: name, Machine: pe.MachineARM64}
		for _, image := range images {
			for _, imported := range image.Imports {
				if strings.EqualFold(imported.DLL, name) {
					stub.Functions = append(stub.Functions, imported.Symbols...)
				}
			}
		}
		if slices.Sort(stub.Functions); stub.Functions != nil {
			stub.Functions = slices.Compact(stub.Functions)
			stubs = append(stubs, stub)
		}
	}
	return stubs
}

// TestWheels loads each native member of each win_arm64 wheel.
func TestWheels(t *testing.T) {
	w, err := loader.New(t.Context(), open(t), input(t, "HOST"))
	if err != nil {
		t.Fatal(err)
	}
	dir, stubs := pythonStubs(t)
	for _, wheel := range wheels(t, "win_arm64") {
		t.Run(filepath.Base(wheel), func(t *testing.T) {
			tree := unpack(t, wheel)
			modules, err := loader.Modules(tree)
			if err != nil {
				t.Fatal(err)
			}
			if len(modules) == 0 {
				t.Fatal("the wheel has no native member")
			}
			var images []*pe.Image
			for _, m := range modules {
				data, err := os.ReadFile(filepath.Join(tree, m.Path))
				if err != nil {
					t.Fatal(err)
				}
				image, err := pe.Parse(data)
				if err != nil {
					t.Fatalf("%s: %v", m.Path, err)
				}
				images = append(images, image)
				for _, stub := range stubs {
					if missing := stub.Missing(image); missing != nil {
						t.Errorf("%s imports what %s does not export: %v", m.Path, stub.Name, missing)
					}
				}
			}
			for _, stub := range nvidiaStubs(images) {
				write(t, dir, stub)
			}
			outcomes, err := w.Load(t.Context(), dir, tree, modules)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range outcomes {
				t.Log(o)
				if !o.OK() {
					t.Error("Windows on ARM would not load it")
				}
			}
		})
	}
}

// TestControls shows that the loader refuses what Windows refuses: otherwise
// TestWheels would prove nothing.
func TestControls(t *testing.T) {
	w, err := loader.New(t.Context(), open(t), input(t, "HOST"))
	if err != nil {
		t.Fatal(err)
	}
	stubs, _ := pythonStubs(t)
	tree := t.TempDir()
	for _, d := range []*stubdll.DLL{
		{Name: "good.pyd", Machine: pe.MachineARM64, Functions: []string{"PyInit_good"}, Imports: []pe.Import{{DLL: "python312.dll", Symbols: []string{"PyModule_Create2"}}}},
		{Name: "missing.pyd", Machine: pe.MachineARM64, Functions: []string{"PyInit_missing"}, Imports: []pe.Import{{DLL: "nowhere.dll", Symbols: []string{"f"}}}},
		{Name: "noinit.pyd", Machine: pe.MachineARM64, Functions: []string{"PyInit_other"}},
		{Name: "x64.pyd", Machine: pe.MachineAMD64, Functions: []string{"PyInit_x64"}},
	} {
		write(t, tree, d)
	}
	modules, err := loader.Modules(tree)
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Load(t.Context(), stubs, tree, modules)
	if err != nil {
		t.Fatal(err)
	}
	want := []loader.Outcome{
		{Module: loader.Module{Path: "good.pyd", Init: "PyInit_good"}, Found: true},
		{Module: loader.Module{Path: "missing.pyd", Init: "PyInit_missing"}, Err: loader.ErrorModNotFound},
		{Module: loader.Module{Path: "noinit.pyd", Init: "PyInit_noinit"}},
		{Module: loader.Module{Path: "x64.pyd", Init: "PyInit_x64"}, Err: loader.ErrorBadExeFormat},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}
