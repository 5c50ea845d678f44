import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON, which the standard library does not: objects as maps, lists, strings, numbers, booleans, null. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at < text.length()) throw json.problem();
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> parseObject(String text) {
        if (parse(text) instanceof Map<?, ?> object) return (Map<String, Object>) object;
        throw new IllegalArgumentException("no JSON object");
    }

    static String write(Object value) {
        if (value instanceof String string) return quote(string);
        if (value instanceof List<?> list)
            return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
        if (value instanceof Map<?, ?> object) {
            var members = object.entrySet().stream();
            return "{" + String.join(",", members.map(each -> quote("" + each.getKey()) + ":" + write(each.getValue())).toList()) + "}";
        }
        return String.valueOf(value);
    }

    private static String quote(String string) {
        var quoted = new StringBuilder("\"");
        for (char each : string.toCharArray()) {
            if (each == '"' || each == '\\') quoted.append('\\').append(each);
            else if (each < ' ') quoted.append(String.format("\\u%04x", (int) each));
            else quoted.append(each);
        }
        return quoted.append('"').toString();
    }

    private IllegalArgumentException problem() {
        return new IllegalArgumentException("no JSON at character " + at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean takes(char wanted) {
        skipSpace();
        if (at >= text.length() || text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!takes(wanted)) throw problem();
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw problem();
        at += word.length();
        return value;
    }

    private Object value() {
        skipSpace();
        if (at >= text.length()) throw problem();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        var object = new LinkedHashMap<String, Object>();
        expect('{');
        if (takes('}')) return object;
        do {
            skipSpace();
            String name = string();
            expect(':');
            object.put(name, value());
        } while (takes(','));
        expect('}');
        return object;
    }

    private List<Object> list() {
        var list = new ArrayList<Object>();
        expect('[');
        if (takes(']')) return list;
        do list.add(value());
        while (takes(','));
        expect(']');
        return list;
    }

    private String string() {
        if (at >= text.length() || text.charAt(at) != '"') throw problem();
        var string = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char each = text.charAt(at);
            string.append(each == '\\' ? escape() : each);
        }
        if (at >= text.length()) throw problem();
        at++;
        return string.toString();
    }

    /** The character of the escape at the place; the place is its last character then. */
    private char escape() {
        if (++at >= text.length()) throw problem();
        char each = text.charAt(at);
        if (each == 'u') {
            if (at + 4 >= text.length()) throw problem();
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        int known = "\"\\/bfnrt".indexOf(each);
        if (known < 0) throw problem();
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private Double number() {
        int begin = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        if (begin == at) throw problem();
        return Double.valueOf(text.substring(begin, at));
    }
}
