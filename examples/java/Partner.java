import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Calls the Ordering Application with an access token, which is renewed when it has expired or is refused. */
final class Partner {
    /** Milliseconds before each further attempt of a call that failed. */
    private static final int[] RETRY_PAUSES = {200, 1000, 3000};

    final String clientSecret;
    private final String url;
    private final String clientId;
    private final HttpClient client = HttpClient.newHttpClient();
    private String token;
    private Instant renewAt = Instant.MIN;

    Partner(String url, String clientId, String clientSecret) {
        this.url = url;
        this.clientId = clientId;
        this.clientSecret = clientSecret;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());
    }

    private synchronized String token() throws IOException, InterruptedException {
        if (token != null && Instant.now().isBefore(renewAt)) return token;
        String form = "grant_type=client_credentials&client_id=" + URLEncoder.encode(clientId, StandardCharsets.UTF_8)
            + "&client_secret=" + URLEncoder.encode(clientSecret, StandardCharsets.UTF_8)
            + "&scope=proto.orders";
        var reply = send(HttpRequest.newBuilder(URI.create(url + "/oauth/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
        if (reply.statusCode() != 200) throw new IOException("the token request is answered " + reply.statusCode());
        var issued = Json.parseObject(reply.body());
        var seconds = (Double) issued.getOrDefault("expires_in", 60.0);
        renewAt = Instant.now().plusMillis((long) (900 * seconds));
        token = (String) issued.get("access_token");
        return token;
    }

    private synchronized void forget(String refused) {
        if (refused.equals(token)) token = null;
    }

    private HttpResponse<String> attempt(String method, String path) throws IOException, InterruptedException {
        String used = token();
        var reply = send(HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + used)
            .method(method, BodyPublishers.noBody()));
        if (reply.statusCode() == 401) forget(used);
        return reply;
    }

    /** The body of the reply; a call that may succeed later is repeated. */
    String call(String method, String path) throws IOException, InterruptedException {
        for (int attempts = 0; ; attempts++) {
            IOException problem;
            try {
                var reply = attempt(method, path);
                int status = reply.statusCode();
                if (status < 300) return reply.body();
                problem = new IOException(method + " " + path + " failed with " + status + ": " + reply.body());
                if (status != 401 && status != 429 && status < 500) throw new IllegalStateException(problem.getMessage());
            } catch (IOException error) {
                problem = error;
            }
            if (attempts == RETRY_PAUSES.length) throw problem;
            Thread.sleep(RETRY_PAUSES[attempts]);
        }
    }
}
