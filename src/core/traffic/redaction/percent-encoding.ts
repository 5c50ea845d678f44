/** Percent-encoding of URLs and forms; decoding is lenient. */

const escapes = /(?:%[\da-f]{2})+/gi
/** The escapes of one UTF-8 character; those of other character sets do not match. */
const escapedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

/**
 * Percent-decodes a text. Invalid escapes and those of other character sets (`Jos%E9`) stay, and the rest is still
 * decoded.
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(escapes, (run) => run.replaceAll(escapedCharacter, decodeRun))
  }
}

/** `+` is a space. */
export const formDecode = (text: string): string => percentDecode(text.replaceAll('+', ' '))

/** A lone surrogate, as at the end of a truncated text, cannot be encoded. */
export const percentEncode = (value: string): string => encodeURIComponent(value.toWellFormed())

/** Percent-encodes what cannot stand in a part of a URL, or in a URL; escapes stay as they are. */
export const encodeIn = (text: string, reserved = /[^\x21-\x7E]|["<>]/gu): string =>
  text.toWellFormed().replaceAll(reserved, encodeURIComponent)
