package ccdriver

import (
	"fmt"
	"os"
	"strings"
)

// maxNesting bounds response files that name response files.
const maxNesting = 16

// expandResponseFiles replaces every @FILE by the arguments in FILE, at any
// depth. As in gcc and clang, an @FILE that does not exist stands for itself.
func expandResponseFiles(args []string) ([]string, error) { return expand(args, 0) }

func expand(args []string, depth int) ([]string, error) {
	var out []string
	for _, arg := range args {
		if len(arg) < 2 || arg[0] != '@' {
			out = append(out, arg)
			continue
		}
		data, err := os.ReadFile(arg[1:])
		if os.IsNotExist(err) {
			out = append(out, arg)
			continue
		}
		if err != nil {
			return nil, err
		}
		if depth == maxNesting {
			return nil, fmt.Errorf("%s: response files are nested more than %d deep", arg[1:], maxNesting)
		}
		words, err := splitWords(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg[1:], err)
		}
		if words, err = expand(words, depth+1); err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// splitWords divides the text of a response file as libiberty's buildargv does
// (GCC manual, "Overall Options", @file): blanks separate words; single and
// double quotes group and may start in the middle of a word; a backslash takes
// the next character as it is, inside quotes as well.
func splitWords(text string) ([]string, error) {
	var (
		words   []string
		word    strings.Builder
		inWord  bool
		quote   byte
		escaped bool
	)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case escaped:
			word.WriteByte(c)
			escaped = false
		case c == '\\':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is never closed", quote)
	}
	if escaped {
		return nil, fmt.Errorf("the text ends in a backslash")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quoteWord writes a word so that splitWords, and a POSIX shell, read it back.
func quoteWord(word string) string {
	plain := word != ""
	for i := 0; i < len(word) && plain; i++ {
		c := word[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_=+:,./@%^", c) >= 0 ||
			c == '~' && i > 0 // Bazel's names of repositories
	}
	if plain {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
}
