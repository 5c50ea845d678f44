import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A small point of sale: it receives events of orders by webhook, reads each order, and confirms and prepares it.
 * PORT, ORDERING_URL, CLIENT_ID and CLIENT_SECRET configure it; see README.md.
 */
final class Service {
    /** What the point of sale does with an order, by the status of the order. */
    private static final Map<String, String> NEXT_STEP = Map.of(
        "CREATED", "confirm", "CONFIRMED", "preparing", "PREPARING", "ready-for-pickup", "READY", "delivered");

    volatile Partner partner;
    // What the point of sale knows: the events that it has seen, and the steps that it has taken for each order.
    // A real one keeps both in its database: they must outlive the process.
    private final Set<String> seen = new HashSet<>();
    private final Map<String, List<String>> orders = new HashMap<>();
    private final ExecutorService workers = Executors.newFixedThreadPool(4, task -> {
        var thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    private boolean isSigned(byte[] body, String signature) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(partner.clientSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return MessageDigest.isEqual(mac.doFinal(body), HexFormat.of().parseHex(signature));
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            return false;
        }
    }

    /** Takes an event once. It is processed after its answer, because the sender waits for that. */
    private synchronized void receive(String eventId, String orderId) {
        if (seen.add(eventId)) workers.execute(() -> process(orderId));
    }

    /** Takes the next step for an order. What an event says may be out of date: the order itself is read. */
    private void process(String orderId) {
        try {
            String path = "/orders/" + orderId;
            var order = Json.parseObject(partner.call("GET", path));
            String step = NEXT_STEP.get((String) order.get("status"));
            if (step != null && take(orderId, step)) partner.call("POST", path + "/" + step);
        } catch (IOException | InterruptedException | RuntimeException error) {
            System.err.println("order " + orderId + ": " + error.getMessage());
        }
    }

    /** Notes a step; false when it was taken before. */
    private synchronized boolean take(String orderId, String step) {
        var taken = orders.computeIfAbsent(orderId, id -> new ArrayList<>());
        return !taken.contains(step) && taken.add(step);
    }

    synchronized List<String> steps(String orderId) {
        return List.copyOf(orders.getOrDefault(orderId, List.of()));
    }

    private synchronized String ordersAsJson() {
        return Json.write(orders);
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath()) {
            case "GET /health" -> reply(exchange, 200, "{\"status\":\"ok\"}");
            case "GET /orders" -> reply(exchange, 200, ordersAsJson());
            case "POST /webhooks/orders" -> {
                String signature = exchange.getRequestHeaders().getFirst("X-App-Signature");
                if (signature == null || !isSigned(body, signature)) {
                    reply(exchange, 401, "{\"error\":\"X-App-Signature does not fit the body\"}");
                    return;
                }
                try {
                    var event = Json.parseObject(new String(body, StandardCharsets.UTF_8));
                    receive(event.get("eventId").toString(), event.get("orderId").toString());
                    reply(exchange, 204, "");
                } catch (IllegalArgumentException | NullPointerException error) {
                    reply(exchange, 400, "{\"error\":\"this is no event\"}");
                }
            }
            default -> reply(exchange, 404, "{\"error\":\"there is no such route\"}");
        }
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    HttpServer listen(int port) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", this::answer);
        server.setExecutor(workers);
        server.start();
        return server;
    }

    private static String setting(String name, String usual) {
        return System.getenv().getOrDefault(name, usual);
    }

    public static void main(String[] args) throws IOException {
        var service = new Service();
        service.partner = new Partner(
            setting("ORDERING_URL", "http://127.0.0.1:7101"), setting("CLIENT_ID", "subject"), setting("CLIENT_SECRET", "secret"));
        var server = service.listen(Integer.parseInt(setting("PORT", "3000")));
        System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
    }
}
