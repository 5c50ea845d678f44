"""The point of sale against Sparring: python3 -m unittest"""

import itertools
import threading
import unittest

from service import Partner, Store, create_server
from sparring import Sparring


class ServiceTest(unittest.TestCase):
    seeds = itertools.count(1)

    @classmethod
    def setUpClass(cls):
        cls.store = Store()
        cls.server = create_server(0, cls.store)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.sparring = Sparring(f"http://127.0.0.1:{cls.server.server_port}")
        cls.addClassCleanup(cls.sparring.stop)
        connect = cls.sparring.ready["connect"]
        cls.store.partner = Partner(
            connect["baseUrl"], connect["clientId"], connect["clientSecret"]
        )

    def setUp(self):
        # The same seed would give the same event ids, and the service remembers those that came before.
        self.sparring.call("POST", "/reset", {"seed": next(self.seeds)})

    def wait(self, **condition):
        result = self.sparring.call("POST", "/wait", {"timeout": "10s", **condition})
        self.assertTrue(result["met"], "\n".join([*result["because"], self.verdict()["text"]]))

    def verdict(self):
        return self.sparring.call("GET", "/verdict")

    def assert_passed(self):
        self.wait()
        verdict = self.verdict()
        self.assertTrue(verdict["passed"], verdict["because"] + "\n" + verdict["text"])

    def test_an_order_is_confirmed_and_brought_to_its_end(self):
        order = self.sparring.call("POST", "/orders", {"type": "TAKEOUT"})["orderId"]
        self.wait(order=order, status="CONFIRMED")
        self.assert_passed()
        steps = ["confirm", "preparing", "ready-for-pickup", "delivered"]
        self.assertEqual(self.store.orders[order], steps)

    def test_a_forged_event_and_one_that_comes_twice_do_no_harm(self):
        self.sparring.call("POST", "/faults", {"wrong-signature": {"event": "CREATED", "nth": 1}})
        self.sparring.call("POST", "/faults", {"duplicate": {"event": "CREATED"}})
        order = self.sparring.call("POST", "/orders", {"type": "TAKEOUT"})["orderId"]
        self.wait(order=order, status="CONFIRMED")
        self.assert_passed()
        fired = [fault["fired"] for fault in self.sparring.call("GET", "/faults")]
        self.assertTrue(all(fired), f"the faults fired {fired} times")


if __name__ == "__main__":
    unittest.main()
