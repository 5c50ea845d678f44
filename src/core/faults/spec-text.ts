/** The one-line notation of a fault, as `--fault` takes it: `drop:event=CONFIRMED|READY_FOR_PICKUP,nth=1`. */
import { refuse, type Refusal } from '../engine/refusal.ts'
import { ok, type Result } from '../protocol/result.ts'

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('|') : String(value)

export function faultText(name: string, options: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${valueText(value)}`)
  return parts.length > 0 ? `${name}:${parts.join(',')}` : name
}

export interface ParsedFaultText {
  readonly name: string
  /** The unparsed values of each option. */
  readonly words: Readonly<Record<string, readonly string[]>>
}

export function parseFaultText(text: string): Result<ParsedFaultText, Refusal> {
  const [name = '', ...rest] = text.trim().split(':')
  const optionsText = rest.join(':')
  // Without a prototype, so that option names like `constructor` or `__proto__` are ordinary keys.
  const words = Object.create(null) as Record<string, readonly string[]>
  for (const part of optionsText === '' ? [] : optionsText.split(',')) {
    const [keyText = '', ...values] = part.split('=')
    const key = keyText.trim()
    if (key === '' || values.length === 0)
      return refuse(
        'UNPROCESSABLE',
        `the fault "${text}" says "${part}", which is no key=value; write drop:event=CONFIRMED,nth=1`,
      )
    if (Object.hasOwn(words, key))
      return refuse(
        'UNPROCESSABLE',
        `the fault "${text}" says ${key} twice; several values are joined by |`,
      )
    words[key] = values
      .join('=')
      .split('|')
      .map((word) => word.trim())
  }
  return ok({ name: name.trim(), words })
}

const convertValue = (word: string): unknown =>
  /^-?\d+(\.\d+)?$/.test(word)
    ? Number(word)
    : word === 'true' || word === 'false'
      ? word === 'true'
      : word

const oneOrAll = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values)

/** Converts the values; options named in `texts` stay strings, even where they look like a number. */
export const faultOptionsOf = (
  { words }: ParsedFaultText,
  texts: ReadonlySet<string> = new Set(),
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(words).map(([key, values]) => [
      key,
      oneOrAll(texts.has(key) ? values : values.map(convertValue)),
    ]),
  )
