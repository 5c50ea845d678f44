/** Quotes a text for a POSIX shell. */
import { hasControls, replaceControls } from '../escape-controls.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const octal = (control: string): string =>
  Array.from(
    new TextEncoder().encode(control),
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  ).join('')

/**
 * Single-quoted: nothing inside is special to the shell. Characters that control a terminal are made by `printf`, since
 * `$'…'` is not known to every shell.
 */
export function shellQuoted(text: string): string {
  const whole = quoted(text)
  if (!hasControls(text)) return whole
  return replaceControls(whole, (control) =>
    control === '\n' || control === '\t' ? control : `'"$(printf '${octal(control)}')"'`,
  )
}
