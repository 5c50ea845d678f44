import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A session of Sparring as a child process, and its control API. */
final class Sparring implements AutoCloseable {
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    final Map<String, Object> ready;

    /** Plays the partners of a point of sale, which receives events by webhook at `serviceUrl`. */
    Sparring(String serviceUrl) throws IOException {
        // The command that starts Sparring: SPARRING="node ../../bin/sparring.js" in a clone.
        var command = new ArrayList<>(List.of(System.getenv().getOrDefault("SPARRING", "npx sparring").split(" ")));
        command.addAll(List.of("up", "--as", "pos", "--subject", serviceUrl, "--channel", "webhook"));
        // Free ports, twenty times as fast as the wall clock, and nothing on stdout but the line that says where it is.
        command.addAll(List.of("--port", "0", "--speed", "20", "--json", "--quiet"));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null) throw new IOException(String.join(" ", command) + " ended");
        ready = Json.parseObject(line);
    }

    /** The JSON of the answer, null where it has none; throws when it is refused. */
    Object call(String method, String path, Object body) throws IOException, InterruptedException {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body));
        var request = HttpRequest.newBuilder(URI.create(ready.get("control") + path)).method(method, publisher);
        var answer = client.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300)
            throw new IOException(method + " " + path + " is answered " + answer.statusCode() + ": " + answer.body());
        return answer.body().isEmpty() ? null : Json.parse(answer.body());
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            call("POST", "/stop", Map.of());
            process.waitFor(10, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
    }
}
