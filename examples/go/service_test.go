// The point of sale against Sparring: go test
package main

import (
	"log"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
)

var (
	store    = NewStore()
	sparring *Sparring
	seed     = 0
)

type object map[string]interface{}

func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	server := httptest.NewServer(store.Handler())
	defer server.Close()
	var err error
	if sparring, err = startSparring(server.URL); err != nil {
		log.Print(err)
		return 1
	}
	defer func() {
		if err := sparring.Stop(); err != nil {
			log.Print(err)
		}
	}()
	connect := sparring.Ready.Connect
	store.Partner = &Partner{URL: connect.BaseURL, ClientID: connect.ClientID, ClientSecret: connect.ClientSecret}
	return m.Run()
}

func call(t *testing.T, method, path string, body, result interface{}) {
	t.Helper()
	if err := sparring.Call(method, path, body, result); err != nil {
		t.Fatal(err)
	}
}

// reset begins a new world. The same seed would give the same event ids, and the service remembers those that came before.
func reset(t *testing.T) {
	t.Helper()
	seed++
	call(t, "POST", "/reset", object{"seed": seed}, nil)
}

func createOrder(t *testing.T) string {
	t.Helper()
	var created struct{ OrderID string }
	call(t, "POST", "/orders", object{"type": "TAKEOUT"}, &created)
	return created.OrderID
}

type verdict struct {
	Passed        bool
	Because, Text string
}

func getVerdict(t *testing.T) (result verdict) {
	t.Helper()
	call(t, "GET", "/verdict", nil, &result)
	return result
}

func wait(t *testing.T, condition object) {
	t.Helper()
	condition["timeout"] = "10s"
	var result struct {
		Met     bool
		Because []string
	}
	call(t, "POST", "/wait", condition, &result)
	if !result.Met {
		t.Fatal(strings.Join(append(result.Because, getVerdict(t).Text), "\n"))
	}
}

func assertPassed(t *testing.T) {
	t.Helper()
	wait(t, object{})
	if result := getVerdict(t); !result.Passed {
		t.Fatalf("%s\n%s", result.Because, result.Text)
	}
}

func TestAnOrderIsConfirmedAndBroughtToItsEnd(t *testing.T) {
	reset(t)
	order := createOrder(t)
	wait(t, object{"order": order, "status": "CONFIRMED"})
	assertPassed(t)
	steps := []string{"confirm", "preparing", "ready-for-pickup", "delivered"}
	if taken := store.Steps()[order]; !reflect.DeepEqual(taken, steps) {
		t.Fatalf("the steps were %v", taken)
	}
}

func TestAForgedEventAndOneThatComesTwiceDoNoHarm(t *testing.T) {
	reset(t)
	call(t, "POST", "/faults", object{"wrong-signature": object{"event": "CREATED", "nth": 1}}, nil)
	call(t, "POST", "/faults", object{"duplicate": object{"event": "CREATED"}}, nil)
	order := createOrder(t)
	wait(t, object{"order": order, "status": "CONFIRMED"})
	assertPassed(t)
	var faults []struct {
		Name  string
		Fired int
	}
	call(t, "GET", "/faults", nil, &faults)
	for _, fault := range faults {
		if fault.Fired == 0 {
			t.Errorf("%s has not fired", fault.Name)
		}
	}
}
