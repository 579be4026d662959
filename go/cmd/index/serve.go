package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sparkwheels/sparkwheels/go/index"
)

func serveCommand(stdout io.Writer) *cobra.Command {
	var dir, listen string
	cmd := &cobra.Command{
		Use:   "serve [--dir DIR] [--listen ADDRESS]",
		Short: "Serve a site on this machine until Ctrl-C",
		Long: `serve answers HTTP requests for a site that build wrote, in HTML or JSON as the
client asks (PEP 691), and prints the addresses to give to pip and uv. Bazel
runs it for the set: ./bazelw run //wheels:serve.`,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Stat(filepath.Join(dir, "simple", "index.json")); err != nil {
				return fmt.Errorf("%s is no index: %w; make one with index build, or ./bazelw build //wheels:index", dir, err)
			}
			listener, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			address := "http://" + listener.Addr().String()
			fmt.Fprintf(stdout, "pip install --index-url %s/simple/ …\npip install --find-links %s/links.html …\n", address, address)
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			server := &http.Server{Handler: index.Handler(dir), ReadHeaderTimeout: 10 * time.Second}
			go func() {
				<-ctx.Done()
				server.Shutdown(context.Background())
			}()
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", os.Getenv("SPARKWHEELS_INDEX"), "folder of the site")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8000", "address to listen on; port 0 takes any free one")
	return cmd
}
