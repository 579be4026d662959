package machine

import (
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// forwarder is an open or cut Link.
type forwarder struct {
	mu       sync.Mutex
	link     Link
	listener net.Listener
	open     map[net.Conn]bool
	// free is when the next byte may pass.
	free time.Time
}

// set makes the link what l says.
func (f *forwarder) set(l Link) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	// A changed link starts anew: what waits for its turn at the old rate would hold its connection.
	if l != f.link {
		f.free = time.Time{}
		for c := range f.open {
			c.Close()
		}
	}
	f.link = l
	if l.Socket == "" && f.listener != nil {
		f.listener.Close()
		f.listener = nil
	}
	if l.Socket != "" && f.listener == nil {
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(l.Port)))
		if err != nil {
			return err
		}
		f.listener, f.open = listener, map[net.Conn]bool{}
		go f.accept(listener)
	}
	return nil
}

func (f *forwarder) accept(listener net.Listener) {
	for {
		c, err := listener.Accept()
		if err != nil {
			return
		}
		go f.forward(c)
	}
}

func (f *forwarder) forward(c net.Conn) {
	defer c.Close()
	f.mu.Lock()
	socket := f.link.Socket
	f.mu.Unlock()
	s, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer s.Close()
	f.mu.Lock()
	f.open[c], f.open[s] = true, true
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.open, c)
		delete(f.open, s)
		f.mu.Unlock()
	}()
	done := make(chan struct{}, 2)
	for _, way := range [2]struct {
		to   net.Conn
		from net.Conn
	}{{c, s}, {s, c}} {
		go func() {
			f.copy(way.to, way.from)
			// Half-closed as TCP does: the other direction may still have something to say.
			if t, ok := way.to.(interface{ CloseWrite() error }); ok {
				_ = t.CloseWrite()
			}
			done <- struct{}{}
		}()
	}
	<-done
	<-done
}

// copy moves bytes at the link's rate.
func (f *forwarder) copy(to io.Writer, from io.Reader) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			time.Sleep(f.delay(n))
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (f *forwarder) delay(n int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.link.Rate == 0 {
		return 0
	}
	now := time.Now()
	if f.free.Before(now) {
		f.free = now
	}
	f.free = f.free.Add(time.Duration(n) * time.Second / time.Duration(f.link.Rate))
	return f.free.Sub(now)
}
