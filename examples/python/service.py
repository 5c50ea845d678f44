"""A small point of sale: it receives events of orders by webhook, reads each order, and confirms and prepares it.

PORT, ORDERING_URL, CLIENT_ID and CLIENT_SECRET configure it; see README.md.
"""

import hashlib
import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What the point of sale does with an order, by the status of the order.
NEXT_STEP = {
    "CREATED": "confirm",
    "CONFIRMED": "preparing",
    "PREPARING": "ready-for-pickup",
    "READY": "delivered",
}

# Seconds before each further attempt of a call that failed.
RETRY_PAUSES = (0.2, 1, 3)


class Partner:
    """Calls the Ordering Application with an access token, which is renewed when it has expired or is refused."""

    def __init__(self, url, client_id, client_secret):
        self.url = url
        self.client_id = client_id
        self.client_secret = client_secret
        self.lock = threading.Lock()
        self.access_token = None
        self.renew_at = 0

    def token(self):
        with self.lock:
            if self.access_token is None or time.monotonic() >= self.renew_at:
                form = {
                    "grant_type": "client_credentials",
                    "client_id": self.client_id,
                    "client_secret": self.client_secret,
                    "scope": "proto.orders",
                }
                data = urllib.parse.urlencode(form).encode()
                with urllib.request.urlopen(self.url + "/oauth/token", data, timeout=10) as reply:
                    issued = json.load(reply)
                self.access_token = issued["access_token"]
                self.renew_at = time.monotonic() + 0.9 * issued.get("expires_in", 60)
            return self.access_token

    def attempt(self, method, path):
        token = self.token()
        request = urllib.request.Request(
            self.url + path, method=method, headers={"Authorization": "Bearer " + token}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                body = reply.read()
                return json.loads(body) if body else None
        except urllib.error.HTTPError as error:
            if error.code == 401:
                with self.lock:
                    self.access_token = None
            raise

    def call(self, method, path):
        """The JSON of the reply; a call that may succeed later is repeated."""
        for pause in (*RETRY_PAUSES, None):
            try:
                return self.attempt(method, path)
            except (OSError, ValueError) as error:
                status = getattr(error, "code", 503)
                if pause is None or (status < 500 and status not in (401, 429)):
                    raise
                time.sleep(pause)


class Store:
    """What the point of sale knows: the events that it has seen, and the steps that it has taken for each order."""

    def __init__(self):
        self.partner = None
        self.lock = threading.Lock()
        # A real one keeps both in its database: they must outlive the process.
        self.seen = set()
        self.orders = {}
        self.workers = ThreadPoolExecutor(max_workers=4)

    def is_signed(self, body, signature):
        secret = self.partner.client_secret.encode()
        expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(expected.encode(), (signature or "").lower().encode())

    def receive(self, event):
        """Takes an event once. It is processed after its answer, because the sender waits for that."""
        event_id, order_id = event["eventId"], event["orderId"]
        with self.lock:
            if event_id in self.seen:
                return
            self.seen.add(event_id)
        self.workers.submit(self.process, order_id)

    def process(self, order_id):
        """Takes the next step for an order. What an event says may be out of date: the order itself is read."""
        path = "/orders/" + urllib.parse.quote(order_id, safe="")
        try:
            step = NEXT_STEP.get(self.partner.call("GET", path)["status"])
            with self.lock:
                taken = self.orders.setdefault(order_id, [])
                if step is None or step in taken:
                    return
                taken.append(step)
            self.partner.call("POST", path + "/" + step)
        except Exception as error:
            print(f"order {order_id}: {error}", flush=True)


def create_server(port, store):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def reply(self, status, body=None):
            data = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            if body is not None:
                self.send_header("Content-Type", "application/json")
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self):
            if self.path == "/health":
                return self.reply(200, {"status": "ok"})
            if self.path == "/orders":
                with store.lock:
                    steps = {order_id: list(taken) for order_id, taken in store.orders.items()}
                return self.reply(200, steps)
            return self.reply(404, {"error": "there is no " + self.path})

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path != "/webhooks/orders":
                return self.reply(404, {"error": "there is no " + self.path})
            if not store.is_signed(body, self.headers.get("X-App-Signature")):
                return self.reply(401, {"error": "X-App-Signature does not fit the body"})
            try:
                store.receive(json.loads(body))
            except (KeyError, TypeError, ValueError):
                return self.reply(400, {"error": "this is no event"})
            return self.reply(204)

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    store = Store()
    store.partner = Partner(
        os.environ.get("ORDERING_URL", "http://127.0.0.1:7101"),
        os.environ.get("CLIENT_ID", "subject"),
        os.environ.get("CLIENT_SECRET", "secret"),
    )
    server = create_server(int(os.environ.get("PORT", "3000")), store)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
