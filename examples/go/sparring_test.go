package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Sparring is a session of Sparring as a child process, with its control API.
type Sparring struct {
	Ready struct {
		Control string
		Connect struct{ BaseURL, ClientID, ClientSecret string }
	}
	process *exec.Cmd
}

// startSparring plays the partners of a point of sale, which receives events by webhook at serviceURL.
func startSparring(serviceURL string) (*Sparring, error) {
	// The command that starts Sparring: SPARRING="node ../../bin/sparring.js" in a clone.
	command := strings.Fields(setting("SPARRING", "npx sparring"))
	command = append(command, "up", "--as", "pos", "--subject", serviceURL, "--channel", "webhook")
	// Free ports, twenty times as fast as the wall clock, and nothing on stdout but the line that says where it is.
	command = append(command, "--port", "0", "--speed", "20", "--json", "--quiet")
	sparring := &Sparring{process: exec.Command(command[0], command[1:]...)}
	sparring.process.Stderr = os.Stderr
	stdout, err := sparring.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := sparring.process.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("%s ended: %v", strings.Join(command, " "), sparring.process.Wait())
	}
	return sparring, json.Unmarshal(line, &sparring.Ready)
}

// Call decodes the JSON of the answer into result; an answer that refuses is an error.
func (s *Sparring) Call(method, path string, body, result interface{}) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	request, err := http.NewRequest(method, s.Ready.Control+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s is answered %d: %s", method, path, answer.StatusCode, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}

func (s *Sparring) Stop() error {
	timer := time.AfterFunc(10*time.Second, func() { _ = s.process.Process.Kill() })
	defer timer.Stop()
	if err := s.Call(http.MethodPost, "/stop", struct{}{}, nil); err != nil {
		_ = s.process.Process.Kill()
	}
	return s.process.Wait()
}
