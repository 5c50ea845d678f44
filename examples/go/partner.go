package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// retryPauses are the pauses before each further attempt of a call that failed.
var retryPauses = []time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second}

// Partner calls the Ordering Application with an access token, which is renewed when it has expired or is refused.
type Partner struct {
	URL, ClientID, ClientSecret string

	mutex   sync.Mutex
	token   string
	renewAt time.Time
}

var client = &http.Client{Timeout: 10 * time.Second}

func (p *Partner) accessToken() (string, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.token != "" && time.Now().Before(p.renewAt) {
		return p.token, nil
	}
	reply, err := client.PostForm(p.URL+"/oauth/token", url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {p.ClientID},
		"client_secret": {p.ClientSecret},
		"scope":         {"proto.orders"},
	})
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	issued := struct {
		AccessToken string  `json:"access_token"`
		ExpiresIn   float64 `json:"expires_in"`
	}{ExpiresIn: 60}
	if reply.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the token request is answered %d", reply.StatusCode)
	}
	if err := json.NewDecoder(reply.Body).Decode(&issued); err != nil {
		return "", err
	}
	p.token = issued.AccessToken
	p.renewAt = time.Now().Add(time.Duration(0.9 * issued.ExpiresIn * float64(time.Second)))
	return p.token, nil
}

func (p *Partner) forget(token string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.token == token {
		p.token = ""
	}
}

func (p *Partner) attempt(method, path string) (int, []byte, error) {
	token, err := p.accessToken()
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(method, p.URL+path, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	reply, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if reply.StatusCode == http.StatusUnauthorized {
		p.forget(token)
	}
	return reply.StatusCode, body, err
}

// Call returns the body of the reply; a call that may succeed later is repeated.
func (p *Partner) Call(method, path string) ([]byte, error) {
	for attempts := 0; ; attempts++ {
		status, body, err := p.attempt(method, path)
		if err == nil && status < 300 {
			return body, nil
		}
		isTemporary := err != nil || status == 401 || status == 429 || status >= 500
		if !isTemporary || attempts == len(retryPauses) {
			if err == nil {
				err = fmt.Errorf("%s %s failed with %d: %s", method, path, status, body)
			}
			return nil, err
		}
		time.Sleep(retryPauses[attempts])
	}
}
