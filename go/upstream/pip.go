package upstream

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// index is a package index, by its address without credentials.
type index struct {
	base  string
	login *url.Userinfo
}

// Index returns the address of the Python package index that the machine's pip is configured for, without credentials.
func (c *Client) Index(ctx context.Context) (string, error) {
	ix, err := c.pipIndex(ctx)
	if err != nil {
		return "", err
	}
	return ix.base, nil
}

// IndexWithLogin is Index with user name and password, for another program. It must be shown to nobody.
func (c *Client) IndexWithLogin(ctx context.Context) (string, error) {
	ix, err := c.pipIndex(ctx)
	if err != nil || ix.login == nil {
		return c.Index(ctx)
	}
	u, err := url.Parse(ix.base)
	if err != nil {
		return "", err
	}
	u.User = ix.login
	return u.String(), nil
}

// pipIndex finds the index as third_party/rules/pip_config.bzl does: PIP_INDEX_URL, pip's configuration files, pip's own default.
func (c *Client) pipIndex(ctx context.Context) (*index, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.index != nil {
		return c.index, nil
	}
	address := c.Env("PIP_INDEX_URL")
	if config := c.Env("PIP_CONFIG_FILE"); address == "" && config != os.DevNull {
		files := configFiles(runtime.GOOS, c.Env)
		for i := len(files) - 1; i >= 0 && address == ""; i-- {
			data, err := os.ReadFile(files[i])
			if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				continue // a folder of that name, as on machines without a configuration
			}
			address = configuredIndex(string(data))
		}
	}
	if address == "" {
		address = askPip(ctx)
	}
	if address == "" {
		return nil, &UnaskableError{"no Python package index is configured, and there is no pip to ask for its default: set PIP_INDEX_URL"}
	}
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(address), "/"))
	if err != nil || u.Host == "" {
		// The address may hold a password, so it is not shown.
		return nil, &UnaskableError{"the index that pip is configured for is no address of a server"}
	}
	ix := &index{login: u.User}
	u.User = nil
	ix.base = u.String()
	c.index = ix
	return ix, nil
}

// configFiles lists pip's configuration files, least important first: https://pip.pypa.io/en/stable/topics/configuration/
func configFiles(goos string, env func(string) string) []string {
	home := env("HOME")
	if home == "" {
		home = env("USERPROFILE")
	}
	var files []string
	add := func(folder string, parts ...string) {
		if folder != "" {
			files = append(files, filepath.Join(append([]string{folder}, parts...)...))
		}
	}
	if goos == "windows" {
		add(env("PROGRAMDATA"), "pip", "pip.ini")
		add(home, "pip", "pip.ini")
		add(env("APPDATA"), "pip", "pip.ini")
		add(env("VIRTUAL_ENV"), "pip.ini")
	} else {
		dirs := strings.Split(env("XDG_CONFIG_DIRS"), ":")
		if dirs[0] == "" {
			dirs = []string{"/etc/xdg"}
		}
		for i := len(dirs) - 1; i >= 0; i-- {
			add(dirs[i], "pip", "pip.conf")
		}
		add("/etc", "pip.conf")
		add(home, ".pip", "pip.conf")
		if config := env("XDG_CONFIG_HOME"); config != "" {
			add(config, "pip", "pip.conf")
		} else {
			add(home, ".config", "pip", "pip.conf")
		}
		if goos == "darwin" {
			add(home, "Library", "Application Support", "pip", "pip.conf")
		}
		add(env("VIRTUAL_ENV"), "pip.conf")
	}
	add(env("PIP_CONFIG_FILE"))
	return files
}

// configuredIndex returns the index-url of a configuration file, in the format of Python's configparser.
func configuredIndex(text string) string {
	values, section := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsRune("#;", rune(line[0])) {
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = strings.TrimSpace(line[1 : len(line)-1])
			continue
		}
		if i := strings.IndexAny(line, "=:"); i >= 0 {
			key := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(line[:i])), "_", "-")
			if key == "index-url" {
				values[section] = strings.TrimSpace(line[i+1:])
			}
		}
	}
	for _, section := range []string{"download", "install", "global"} {
		if values[section] != "" {
			return values[section]
		}
	}
	return ""
}

func askPip(ctx context.Context) string {
	for _, name := range []string{"python3", "python", "py"} {
		out, err := exec.CommandContext(ctx, name, "-I", "-c", "from pip._internal.models.index import PyPI; print(PyPI.simple_url)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
}
