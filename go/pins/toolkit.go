package pins

import (
	"fmt"
	"maps"
	"slices"
)

// nvccFive are the components without which nvcc does not compile, and what it needs each for.
var nvccFive = map[string]string{
	"cccl":        "nvcc needs it: cuda_runtime.h's own headers include <cuda/std/...> from it",
	"cuda_crt":    "nvcc needs it: crt/host_runtime.h and crt/host_config.h are included into every compilation",
	"cuda_cudart": "nvcc needs it: cuda_runtime.h is included into every .cu file, and programs link its runtime",
	"cuda_nvcc":   "it holds nvcc itself, cudafe++, ptxas and fatbinary",
	"libnvvm":     "nvcc needs it: it runs nvvm/bin/cicc to compile device code to PTX",
}

// pypiComponents maps projects of the Python index to the components of NVIDIA's archives that they carry.
var pypiComponents = map[string]string{
	"nvidia-cuda-cccl":    "cccl",
	"nvidia-cuda-crt":     "cuda_crt",
	"nvidia-cuda-runtime": "cuda_cudart",
	"nvidia-cuda-nvcc":    "cuda_nvcc",
	"nvidia-nvvm":         "libnvvm",
}

var (
	redistPlatforms = []string{"linux-sbsa", "linux-x86_64", "windows-arm64", "windows-x86_64"}
	redistProducts  = []string{"cuda", "cudnn"}
)

// checkRedist reports a component that NVIDIA's layout cannot have.
func (p *Pin) checkRedist(bad func(key, format string, args ...any)) {
	s := p.Source.Redist
	if !slices.Contains(redistProducts, s.Product) {
		bad("source.redist.product", "%q is not one of %s", s.Product, list(redistProducts))
	}
	if !slices.Contains(redistPlatforms, s.Platform) {
		bad("source.redist.platform", "%q is not one of %s", s.Platform, list(redistPlatforms))
	}
	checkPlain(s.Release, "source.redist.release", bad)
	checkPlain(s.Component, "source.redist.component", bad)
	if s.Archive != "" {
		checkPlain(s.Archive, "source.redist.archive", bad)
	}
}

// component returns the toolkit that the pin belongs to and the component of it that it is; "" if it is none of nvcc's.
func (p *Pin) component() (toolkit, component string) {
	if s := p.Source.Redist; s != nil && s.Product == "cuda" {
		if _, five := nvccFive[s.Component]; five {
			return fmt.Sprintf("CUDA %s for %s", s.Release, s.Platform), s.Component
		}
	}
	if s := p.Source.PyPI; s != nil && p.Kind == Toolkit {
		// The index has no release number, and cccl's version differs from the others': one toolkit a platform.
		if c := pypiComponents[s.Project]; c != "" {
			return fmt.Sprintf("CUDA from the Python index for %s", p.toolkitPlatform()), c
		}
	}
	return "", ""
}

// toolkitPlatform names the one platform that a component of the Python index is for.
func (p *Pin) toolkitPlatform() string {
	if all := append(slices.Clone(p.ExecPlatforms), p.Platforms...); len(all) > 0 {
		return all[0]
	}
	return "any platform"
}

// checkToolkits reports each toolkit that has some but not all of nvcc's five components: nvcc would fail much later and far
// from the cause.
func checkToolkits(all []*Pin, problems *Problems) {
	have := map[string]map[string]string{}
	for _, p := range all {
		toolkit, component := p.component()
		if toolkit == "" {
			continue
		}
		if have[toolkit] == nil {
			have[toolkit] = map[string]string{}
		}
		if other, twice := have[toolkit][component]; twice {
			problems.add(p.Name, "source", "%s: component %q is pinned by %q already", toolkit, component, other)
		}
		have[toolkit][component] = p.Name
	}
	for _, toolkit := range slices.Sorted(maps.Keys(have)) {
		for _, component := range slices.Sorted(maps.Keys(nvccFive)) {
			if have[toolkit][component] == "" {
				problems.add("", "pins", "%s: component %q is not pinned; %s", toolkit, component, nvccFive[component])
			}
		}
	}
}
