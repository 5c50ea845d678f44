// A small point of sale: it receives events of orders by webhook, reads each order, and confirms and prepares it.
// PORT, ORDERING_URL, CLIENT_ID and CLIENT_SECRET configure it; see README.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
)

// nextStep is what the point of sale does with an order, by the status of the order.
var nextStep = map[string]string{
	"CREATED":   "confirm",
	"CONFIRMED": "preparing",
	"PREPARING": "ready-for-pickup",
	"READY":     "delivered",
}

// Store is what the point of sale knows: the events that it has seen, and the steps that it has taken for each order.
type Store struct {
	Partner *Partner

	mutex sync.Mutex
	// A real one keeps both in its database: they must outlive the process.
	seen   map[string]bool
	orders map[string][]string
}

// Event is the part of an event that the point of sale needs.
type Event struct {
	EventID string `json:"eventId"`
	OrderID string `json:"orderId"`
}

func NewStore() *Store {
	return &Store{seen: map[string]bool{}, orders: map[string][]string{}}
}

func (s *Store) isSigned(body []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(s.Partner.ClientSecret))
	mac.Write(body)
	received, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(received, mac.Sum(nil))
}

// receive takes an event once. It is processed after its answer, because the sender waits for that.
func (s *Store) receive(event Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.seen[event.EventID] {
		return
	}
	s.seen[event.EventID] = true
	go func() {
		if err := s.process(event.OrderID); err != nil {
			log.Printf("order %s: %v", event.OrderID, err)
		}
	}()
}

// process takes the next step for an order. What an event says may be out of date: the order itself is read.
func (s *Store) process(orderID string) error {
	path := "/orders/" + url.PathEscape(orderID)
	body, err := s.Partner.Call(http.MethodGet, path)
	if err != nil {
		return err
	}
	var order struct{ Status string }
	if err := json.Unmarshal(body, &order); err != nil {
		return err
	}
	step, exists := nextStep[order.Status]
	if !exists || !s.take(orderID, step) {
		return nil
	}
	_, err = s.Partner.Call(http.MethodPost, path+"/"+step)
	return err
}

// take notes a step; false when it was taken before.
func (s *Store) take(orderID, step string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, taken := range s.orders[orderID] {
		if taken == step {
			return false
		}
	}
	s.orders[orderID] = append(s.orders[orderID], step)
	return true
}

// Steps returns the steps that were taken for each order.
func (s *Store) Steps() map[string][]string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	steps := map[string][]string{}
	for orderID, taken := range s.orders {
		steps[orderID] = append([]string{}, taken...)
	}
	return steps
}

func reply(response http.ResponseWriter, status int, body interface{}) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	if err := json.NewEncoder(response).Encode(body); err != nil {
		log.Printf("the answer was not sent: %v", err)
	}
}

func (s *Store) receiveWebhook(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	if !s.isSigned(body, request.Header.Get("X-App-Signature")) {
		reply(response, http.StatusUnauthorized, map[string]string{"error": "X-App-Signature does not fit the body"})
		return
	}
	var event Event
	if json.Unmarshal(body, &event) != nil || event.EventID == "" || event.OrderID == "" {
		reply(response, http.StatusBadRequest, map[string]string{"error": "this is no event"})
		return
	}
	s.receive(event)
	response.WriteHeader(http.StatusNoContent)
}

// Handler has the routes of the service.
func (s *Store) Handler() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("/health", func(response http.ResponseWriter, _ *http.Request) {
		reply(response, http.StatusOK, map[string]string{"status": "ok"})
	})
	routes.HandleFunc("/orders", func(response http.ResponseWriter, _ *http.Request) {
		reply(response, http.StatusOK, s.Steps())
	})
	routes.HandleFunc("/webhooks/orders", s.receiveWebhook)
	return routes
}

func setting(name, usual string) string {
	if value, exists := os.LookupEnv(name); exists {
		return value
	}
	return usual
}

func main() {
	store := NewStore()
	store.Partner = &Partner{
		URL:          setting("ORDERING_URL", "http://127.0.0.1:7101"),
		ClientID:     setting("CLIENT_ID", "subject"),
		ClientSecret: setting("CLIENT_SECRET", "secret"),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "3000"))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on http://%s", listener.Addr())
	log.Fatal(http.Serve(listener, store.Handler()))
}
