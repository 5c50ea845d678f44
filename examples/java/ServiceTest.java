import java.util.List;
import java.util.Map;

/** The point of sale against Sparring: javac -d out *.java && java -cp out ServiceTest */
final class ServiceTest {
    private interface Story {
        void run() throws Exception;
    }

    private final Service service;
    private final Sparring sparring;
    private int seed = 0;
    private int failed = 0;

    private ServiceTest(Service service, Sparring sparring) {
        this.service = service;
        this.sparring = sparring;
    }

    private static void check(boolean holds, String message) {
        if (!holds) throw new AssertionError(message);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> call(String method, String path, Object body) throws Exception {
        return (Map<String, Object>) sparring.call(method, path, body);
    }

    private Map<String, Object> verdict() throws Exception {
        return call("GET", "/verdict", null);
    }

    private void waitFor(Map<String, Object> condition) throws Exception {
        var result = call("POST", "/wait", condition);
        check((Boolean) result.get("met"), result.get("because") + "\n" + verdict().get("text"));
    }

    private void assertPassed() throws Exception {
        waitFor(Map.of("timeout", "10s"));
        var verdict = verdict();
        check((Boolean) verdict.get("passed"), verdict.get("because") + "\n" + verdict.get("text"));
    }

    private String createOrder() throws Exception {
        return (String) call("POST", "/orders", Map.of("type", "TAKEOUT")).get("orderId");
    }

    private void anOrderIsConfirmedAndBroughtToItsEnd() throws Exception {
        String order = createOrder();
        waitFor(Map.of("order", order, "status", "CONFIRMED", "timeout", "10s"));
        assertPassed();
        var taken = service.steps(order);
        check(taken.equals(List.of("confirm", "preparing", "ready-for-pickup", "delivered")), "the steps were " + taken);
    }

    private void aForgedEventAndOneThatComesTwiceDoNoHarm() throws Exception {
        call("POST", "/faults", Map.of("wrong-signature", Map.of("event", "CREATED", "nth", 1)));
        call("POST", "/faults", Map.of("duplicate", Map.of("event", "CREATED")));
        String order = createOrder();
        waitFor(Map.of("order", order, "status", "CONFIRMED", "timeout", "10s"));
        assertPassed();
        for (Object fault : (List<?>) sparring.call("GET", "/faults", null))
            check((Double) ((Map<?, ?>) fault).get("fired") > 0, fault + " has not fired");
    }

    private void test(String name, Story story) {
        try {
            // The same seed would give the same event ids, and the service remembers those that came before.
            call("POST", "/reset", Map.of("seed", ++seed));
            story.run();
            System.out.println("passed  " + name);
        } catch (Exception | AssertionError error) {
            failed++;
            System.out.println("failed  " + name + "\n" + error.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        var service = new Service();
        var server = service.listen(0);
        int failed;
        try (var sparring = new Sparring("http://127.0.0.1:" + server.getAddress().getPort())) {
            var connect = (Map<String, String>) sparring.ready.get("connect");
            service.partner = new Partner(connect.get("baseUrl"), connect.get("clientId"), connect.get("clientSecret"));
            var tests = new ServiceTest(service, sparring);
            tests.test("an order is confirmed and brought to its end", tests::anOrderIsConfirmedAndBroughtToItsEnd);
            tests.test("a forged event and one that comes twice do no harm", tests::aForgedEventAndOneThatComesTwiceDoNoHarm);
            failed = tests.failed;
        } finally {
            server.stop(0);
        }
        System.exit(failed == 0 ? 0 : 1);
    }
}
