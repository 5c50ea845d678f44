"""A restaurant POS in one file, written from the documents of the protocol and from nothing else: Python's standard
library, events by webhook, tickets in memory. What takes long is answered before it is done, and an order of which nothing
is heard is read again.

  python3 pos.py --port 3000 --partner http://127.0.0.1:7101 [--state pos.json] [--jitter 400] [--bug option-quantity]

Each flag is also an environment variable: POS_PORT, POS_PARTNER, POS_STATE, POS_JITTER, POS_BUG ...
"""

import argparse
import hashlib
import hmac
import json
import os
import random
import re
import secrets
import signal
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BUGS = ["option-quantity", "swallowed-cancellation"]


def flag(parser, name, default, **options):
    variable = "POS_" + name.upper().replace("-", "_")
    parser.add_argument("--" + name, default=os.environ.get(variable, default), **options)


parser = argparse.ArgumentParser()
flag(parser, "port", "3000", type=int)
flag(parser, "partner", "http://127.0.0.1:7101")
flag(parser, "client-id", "subject")
flag(parser, "client-secret", "secret")
flag(parser, "state", "")
flag(parser, "jitter", "0", type=float)
flag(parser, "bug", "", choices=["", *BUGS])
ARGS = parser.parse_args()


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


# ---- tickets ---------------------------------------------------------------------------------------------------------


class Register:
    """Tickets by order id, with the ids of the events that were dealt with."""

    def __init__(self, file):
        self.file = file
        self.lock = threading.RLock()
        self.locks = {}
        self.last = 1000
        self.tickets = {}
        self.events = OrderedDict()
        self.tokens = {}
        # Orders that are not over, with the time at which they were heard of last.
        self.heard = {}
        if file and os.path.exists(file):
            with open(file, encoding="utf-8") as kept:
                data = json.load(kept)
            self.last, self.tickets, self.tokens = data["last"], data["tickets"], data["tokens"]
            self.events = OrderedDict((each, True) for each in data["events"])
            self.heard = data["heard"]

    def save(self):
        if not self.file:
            return
        with self.lock:
            data = {
                "last": self.last,
                "tickets": self.tickets,
                "tokens": self.tokens,
                "events": list(self.events),
                "heard": self.heard.copy(),
            }
            with open(self.file + ".new", "w", encoding="utf-8") as kept:
                json.dump(data, kept)
            os.replace(self.file + ".new", self.file)

    def lock_of(self, order_id):
        with self.lock:
            return self.locks.setdefault(order_id, threading.Lock())

    def remember(self, event_id):
        with self.lock:
            self.events[event_id] = True
            if len(self.events) > 5000:
                self.events.popitem(last=False)

    def open(self, order, lines):
        with self.lock:
            self.last += 1
            ticket = {
                "ticket": "T-%d" % self.last,
                "ref": secrets.token_urlsafe(8),
                "orderId": order["id"],
                "type": order["fulfillment"]["orderType"],
                "status": order["status"],
                "lines": lines,
                "opened": now(),
            }
            self.tickets[order["id"]] = ticket
            return ticket

    def issue(self):
        with self.lock:
            token = "py." + secrets.token_hex(20)
            self.tokens = {each: till for each, till in self.tokens.items() if till > time.time()}
            self.tokens[token] = time.time() + 7200
            return token


REGISTER = Register(ARGS.state)


# ---- the partner -----------------------------------------------------------------------------------------------------


class Refused(Exception):
    def __init__(self, status, what):
        super().__init__("%s was answered %d" % (what, status))
        self.status = status


class Partner:
    def __init__(self, base):
        self.base = base.rstrip("/")
        self.lock = threading.Lock()
        self.token = None
        self.until = 0.0
        self.tries, self.next_try = 0, 0.0
        # By kind of call: the time before which Retry-After forbids another one.
        self.held = {}

    def hold(self, kind, after):
        if after is None:
            return
        try:
            until = time.time() + float(after)
        except ValueError:
            until = parsedate_to_datetime(after).timestamp()
        self.held[kind] = until

    def send(self, method, path, headers, data):
        kind = method + " " + re.sub("(orders/)[^/]+", r"\1*", path)
        if time.time() < self.held.get(kind, 0):
            raise Refused(503, kind + ", which is held back,")
        request = urllib.request.Request(self.base + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            self.hold(kind, error.headers.get("Retry-After"))
            raise

    def bearer(self):
        with self.lock:
            if self.token is None or time.time() > self.until:
                form = urllib.parse.urlencode(
                    {
                        "grant_type": "client_credentials",
                        "client_id": ARGS.client_id,
                        "client_secret": ARGS.client_secret,
                        "scope": "proto.orders",
                    }
                )
                headers = {"Content-Type": "application/x-www-form-urlencoded"}
                # All threads wait after a try that failed, longer after each.
                if time.time() < self.next_try:
                    raise Refused(503, "a token that was refused a moment ago")
                self.tries += 1
                self.next_try = time.time() + min(2**self.tries, 30)
                _, answer = self.send("POST", "/oauth/token", headers, form.encode())
                self.tries, self.next_try = 0, 0.0
                self.token = answer["access_token"]
                self.until = time.time() + answer.get("expires_in", 3600) - 60
            return self.token

    def forget(self, token):
        with self.lock:
            if self.token == token:
                self.token = None

    def call(self, method, path, body=None):
        headers = {"Accept": "application/json"}
        data = None
        if method == "POST":
            headers["X-Request-Id"] = str(uuid.uuid4())
            data = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers["Content-Type"] = "application/json"
        for last in (False, True):
            token = self.bearer()
            headers["Authorization"] = "Bearer " + token
            try:
                return self.send(method, path, headers, data)[1]
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == 401 and not last:
                    self.forget(token)
                    continue
                raise Refused(error.code, method + " " + path) from None
        return None


PARTNER = Partner(ARGS.partner)


# ---- the kitchen -----------------------------------------------------------------------------------------------------


class Unprintable(Exception):
    pass


def slip(order):
    """The kitchen slip: each option with its quantity in front."""
    lines = []
    for item in order["items"]:
        lines.append("%g x %s" % (item.get("quantity", 1), item["name"]))
        for option in item.get("options", []):
            quantity = option.get("quantity", 1)
            if ARGS.bug == "option-quantity" and quantity > 9:
                raise Unprintable("option %s: the column is too narrow for %d" % (option["name"], quantity))
            lines.append("  + %g %s" % (quantity, option["name"]))
    return lines


def read(order_id):
    return PARTNER.call("GET", "/orders/" + urllib.parse.quote(order_id))


def move(ticket, action, body=None):
    """Whether the partner took the call; where it did not, what it has is read."""
    try:
        PARTNER.call("POST", "/orders/%s/%s" % (urllib.parse.quote(ticket["orderId"]), action), body)
        return True
    except Refused as refused:
        if refused.status not in (409, 422):
            raise
        if ARGS.bug != "swallowed-cancellation":
            ticket["status"] = read(ticket["orderId"])["status"]
            ticket["refusedIn"] = ticket["status"]
        return False


def prepare(ticket):
    ticket["status"] = "CONFIRMED"
    if not move(ticket, "preparing") and ticket["status"] == "CONFIRMED":
        make_ready(ticket)


def make_ready(ticket):
    ticket["status"] = "PREPARING"
    if not move(ticket, "ready-for-pickup") and ticket["status"] == "PREPARING":
        hand_over(ticket)


def hand_over(ticket):
    ticket["status"] = "READY"
    action = "dispatch" if ticket["type"] == "DELIVERY" else "delivered"
    if not move(ticket, action) and ticket["status"] == "READY":
        ticket["status"] = "IN_DELIVERY" if action == "dispatch" else "DELIVERED"


OVER = ("CANCELLED", "DELIVERED", "CONCLUDED")

# The statuses in their order, each with the event that says it.
STEPS = {
    "CREATED": "CREATED",
    "CONFIRMING": None,
    "CONFIRMED": "CONFIRMED",
    "PREPARING": "PREPARING",
    "READY": "READY_FOR_PICKUP",
    "IN_DELIVERY": "DISPATCHED",
    "DELIVERED": "DELIVERED",
    "CANCELLED": "CANCELLED",
    "CONCLUDED": "CONCLUDED",
}


def is_old(ticket, kind):
    """Whether an event says less than is known."""
    kinds = list(STEPS.values())
    return kind in kinds and kinds.index(kind) < list(STEPS).index(ticket["status"])


def handle(event):
    kind, order_id = event["eventType"], event["orderId"]
    ticket = REGISTER.tickets.get(order_id)
    if ticket is None:
        order = read(order_id)
        ticket = REGISTER.open(order, slip(order))
    if ticket["status"] not in OVER and not is_old(ticket, kind):
        ticket.pop("refusedIn", None)
        react(ticket, kind)
    return ticket


def react(ticket, kind):
    status = ticket["status"]
    if status == "CONFIRMING" and ARGS.bug == "swallowed-cancellation":
        prepare(ticket)
    elif kind == "CANCELLED":
        ticket["status"] = "CANCELLED"
    elif kind == "CREATED" and status == "CREATED":
        if move(ticket, "confirm", {"estimatedPreparationTimeMinutes": 20}):
            ticket["status"] = "CONFIRMING"
    elif kind == "CONFIRMED":
        prepare(ticket)
    elif kind == "PREPARING":
        make_ready(ticket)
    elif kind == "READY_FOR_PICKUP":
        hand_over(ticket)
    elif kind == "DISPATCHED":
        ticket["status"] = "IN_DELIVERY"
        move(ticket, "delivered")
    elif kind == "DELIVERED":
        ticket["status"] = "DELIVERED"


def deal_with(event):
    with REGISTER.lock_of(event["orderId"]):
        if event["eventId"] in REGISTER.events:
            ticket = REGISTER.tickets.get(event["orderId"])
        else:
            ticket = handle(event)
            REGISTER.remember(event["eventId"])
    REGISTER.save()
    return ticket


def catch_up(order_id):
    """An order of which nothing was heard for a while: what GET says of it counts."""
    with REGISTER.lock_of(order_id):
        order = read(order_id)
        ticket = REGISTER.tickets.get(order_id) or REGISTER.open(order, slip(order))
        ticket["status"] = order["status"]
        # What was refused for good waits for an event.
        if order["status"] not in OVER and ticket.get("refusedIn") != order["status"]:
            react(ticket, STEPS[order["status"]])
    REGISTER.save()


QUIET = 20


def catch_up_all():
    while True:
        time.sleep(5)
        for order_id, heard in list(REGISTER.heard.items()):
            ticket = REGISTER.tickets.get(order_id)
            if ticket is not None and ticket["status"] in OVER:
                REGISTER.heard.pop(order_id, None)
            elif time.time() - heard > QUIET:
                REGISTER.heard[order_id] = time.time()
                WORKERS.submit(catch_up, order_id)


WORKERS = ThreadPoolExecutor(32)


# ---- what it serves --------------------------------------------------------------------------------------------------

OPERATIONS = [
    "getOrder",
    "confirmOrder",
    "setOrderPreparing",
    "setOrderReadyForPickup",
    "dispatchOrder",
    "setOrderDelivered",
]


def manifest(host):
    return {
        "participantId": "pos-python",
        "protocolVersion": "v2",
        "protocol": {"supportedVersions": ["v2"]},
        "authentication": {
            "supportedGrantTypes": ["client_credentials"],
            "clientIdGeneration": ["by_app"],
        },
        "capabilities": [
            {
                "name": "orders",
                "version": "v2",
                "supported": True,
                "role": "RECEIVER",
                "endpoint": "http://" + host,
                "operations": OPERATIONS,
                "receiver": {
                    "supported": True,
                    "supportedOperations": OPERATIONS,
                    "unsupportedOperations": [
                        "requestCancellation",
                        "sendOrderTracking",
                        "partialItemCancellation",
                    ],
                    "supportsWebhook": True,
                    "supportsPolling": False,
                },
            }
        ],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "pos-python"

    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, code, message):
        error = {"code": code, "message": message, "retryable": status >= 500}
        self.answer(status, {"error": error, "traceId": secrets.token_hex(8), "time": now()})

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/.well-known/protocol":
            host = self.headers.get("Host", "127.0.0.1")
            headers = {"Cache_Control": "public, max-age=60", "Access_Control_Allow_Origin": "*"}
            return self.answer(200, manifest(host), **headers)
        if path.startswith("/orders/"):
            ticket = REGISTER.tickets.get(urllib.parse.unquote(path[len("/orders/") :]))
            if ticket is not None:
                status = "CREATED" if ticket["status"] == "CONFIRMING" else ticket["status"]
                return self.answer(200, {**ticket, "status": status, "shown": now()})
        return self.refuse(404, "NOT_FOUND", "nothing is here")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urllib.parse.urlsplit(self.path).path
        if path == "/oauth/token":
            token = REGISTER.issue()
            REGISTER.save()
            return self.answer(
                200, {"access_token": token, "token_type": "bearer", "expires_in": 7200}
            )
        if path != "/webhooks/orders":
            return self.refuse(404, "NOT_FOUND", "nothing is here")
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if REGISTER.tokens.get(token, 0) < time.time():
            return self.refuse(401, "UNAUTHORIZED", "the token is not known")
        digest = hmac.new(ARGS.client_secret.encode(), body, hashlib.sha256).hexdigest()
        signature = (self.headers.get("X-App-Signature") or "").lower()
        if not hmac.compare_digest(digest.encode(), signature.encode(errors="replace")):
            return self.refuse(401, "UNAUTHORIZED", "the signature is wrong")
        return self.take(json.loads(body))

    def take(self, event):
        REGISTER.heard[event["orderId"]] = time.time()
        # Whoever is started in place of this process knows of the order.
        REGISTER.save()
        work = WORKERS.submit(deal_with, event)
        # The partner waits no longer: what fails behind this is caught up with.
        wait([work], timeout=ANSWER_WITHIN)
        try:
            ticket = work.result() if work.done() else None
        except Unprintable as unprintable:
            return self.refuse(422, "UNPROCESSABLE", str(unprintable))
        except Exception as error:  # the event comes again
            return self.refuse(503, "UNAVAILABLE", repr(error))
        time.sleep(random.random() * ARGS.jitter / 1000)
        return self.answer(
            200,
            {
                "ticket": ticket and ticket["ticket"],
                "ticketRef": ticket and ticket["ref"],
                "receipt": str(uuid.uuid4()),
                "at": time.time(),
            },
        )


# Seconds.
ANSWER_WITHIN = 3


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def main():
    server = Server(("127.0.0.1", ARGS.port), Handler)
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: os._exit(0))
    # It would make up for what the bugs leave undone.
    if not ARGS.bug:
        threading.Thread(target=catch_up_all, daemon=True).start()
    print("ready http://127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
