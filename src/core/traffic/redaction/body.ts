/**
 * Redacts bodies: JSON, forms, multipart, markup, event streams or plain text. The format is detected from the body
 * first, then from the content type.
 */
import { quotedPrintable } from './encodings.ts'
import { classForKey, keyMeaningOf } from './keys.ts'
import { redactGraphql } from './json.ts'
import { redactMarkup } from './markup.ts'
import { isGraphql, redactNotation } from './notations.ts'
import { redactPairs, hasPersonalPair } from './pairs.ts'
import { percentEncode } from './percent-encoding.ts'
import { replaceByClass, type DocumentTopic, type RedactionWalk } from './walk.ts'

/** The first name of a form. A padded base64 text is none, though it contains `=`. */
const formStart = /^[\w.~%+[\]-]{1,1000}=(?!=?$)/
/** Two searches, since one pattern over a text of millions of characters may overflow the stack of the matcher. */
const isForm = (text: string): boolean => formStart.test(text) && !/[\s<>{}]/.test(text)
const quotedByEntities = /^\s*[{[]\s*&(?:quot|#34|#x22);/i
export interface BodyContext {
  /** The content type, with its parameters; may be empty. */
  readonly type: string
  readonly path: string
  readonly root: DocumentTopic
}

interface FormPart {
  readonly head: string
  readonly value: string
  readonly tail: string
  readonly name: string
}

/** Splits a multipart part; undefined before the first part, after the last one, or without an end of its headers. */
function formPart(part: string): FormPart | undefined {
  const head = /^\r?\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(part)?.[0]
  if (head === undefined) return undefined
  const tail = /\r?\n$/.exec(part.slice(head.length))?.[0] ?? ''
  const value = part.slice(head.length, part.length - tail.length)
  return { head, value, tail, name: /;\s*name="?([^";\r\n]+)/i.exec(head)?.[1] ?? '' }
}

/** Redacts multipart parts, each with its headers and a body of any format. */
function redactParts(
  walk: RedactionWalk,
  text: string,
  boundary: string,
  place: BodyContext,
): string {
  const line = `--${boundary}`
  const parts = text.split(line).map((part) => ({ part, form: formPart(part) }))
  // Next to an e-mail address a `name` is a person's, as in any form.
  const person =
    place.root.person === true ||
    parts.some(
      ({ form: each }) => each && hasPersonalPair(`${each.name}=${percentEncode(each.value)}`),
    )
  const root = person ? { ...place.root, person } : place.root
  return parts
    .map(({ part, form: each }) =>
      each ? redactPart(walk, each, { ...place, root }) : walk.text(walk, part, place.path, false),
    )
    .join(line)
}

function redactPart(
  walk: RedactionWalk,
  { head, value, tail, name }: FormPart,
  { path, root }: BodyContext,
): string {
  const meaning = keyMeaningOf(name)
  const at = `${path}/${meaning.name}`
  const coding = /^content-transfer-encoding:\s*quoted-printable/im.test(head)
    ? quotedPrintable
    : undefined
  const plain = coding?.decode(value) ?? value
  const definition = classForKey(meaning, plain, root)
  const next = definition
    ? replaceByClass(walk, definition, plain, at)
    : redactBody(walk, plain, { type: '', path: at, root })
  const written = next === plain ? value : (coding?.encode(next, value) ?? next)
  return walk.text(walk, head, at, true) + written + tail
}

/**
 * The data lines of one server-sent event form one text, in which a line end can only be white space between tokens.
 */
function redactEvents(walk: RedactionWalk, text: string, { path, root }: BodyContext): string {
  const place = { type: '', path, root }
  return text
    .split(/(\r?\n(?:\r?\n)+)/)
    .map((event) => {
      const lines = event.split('\n')
      const data = lines.filter((each) => each.startsWith('data:'))
      if (data.length < 2) return walk.text(walk, event, path, false)
      const whole = data.map((each) => each.slice('data:'.length)).join('\n')
      const next = redactBody(walk, whole, place).split('\n')
      if (next.length !== data.length) return walk.text(walk, event, path, false)
      return lines
        .map((each) =>
          each.startsWith('data:')
            ? `data:${next.shift() ?? ''}`
            : walk.text(walk, each, path, false),
        )
        .join('\n')
    })
    .join('')
}

/**
 * UTF-16 text that was decoded bytewise: nearly every other character is NUL. A mark of the byte order, and characters
 * beyond Latin-1, which no longer are what they were, stay before and between.
 */
function redactUtf16(walk: RedactionWalk, text: string, place: BodyContext): string | undefined {
  const mark = /^(?:\xFF\xFE|\xFE\xFF|\uFFFD\uFFFD)/.exec(text)?.[0] ?? ''
  const wide = text.slice(mark.length)
  const zeros = wide.split('\0').length - 1
  if (zeros * 2 < wide.length * 0.7 || /\0\0/.test(wide)) return undefined
  const isBigEndian = wide.startsWith('\0')
  const narrow = wide.replaceAll('\0', '')
  const next = redactBody(walk, narrow, place)
  if (next === narrow) return text
  return mark + next.replaceAll(/./gs, isBigEndian ? '\0$&' : '$&\0')
}

export function redactBody(
  walk: RedactionWalk,
  text: string,
  { type, path, root }: BodyContext,
): string {
  const wide =
    text.length > 3 && text.includes('\0')
      ? redactUtf16(walk, text, { type, path, root })
      : undefined
  if (wide !== undefined) return wide
  // Archives may lack the type or its boundary: then the first line shows it.
  const boundary =
    /^\s*multipart\/[^;]+;.*boundary="?([^";]+)/i.exec(type)?.[1] ??
    /^--([\w'()+,./:=? -]{1,70})\r?\ncontent-/i.exec(text)?.[1]
  if (boundary !== undefined) return redactParts(walk, text, boundary, { type, path, root })
  // JSON with entities as quotes cannot be scanned before those are decoded.
  if (quotedByEntities.test(text)) return walk.text(walk, text, path, false)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  if (first === '{' && (/graphql/i.test(type) || isGraphql(text)))
    return redactGraphql(walk, text, path)
  if (first === '{' || first === '[') return walk.json(walk, text, path, root)
  if (first === '"' && /json/i.test(type)) return walk.json(walk, text, path, root)
  if (first === '<') return redactMarkup(walk, text, path, root)
  if (/event-stream/i.test(type)) return redactEvents(walk, text, { type, path, root })
  if (/x-www-form-urlencoded/i.test(type) || isForm(text))
    return redactPairs(walk, text, path, root.person === true)
  // What the keys of its lines do not tell is found as in any text.
  return walk.text(
    walk,
    redactNotation(walk, text, path, { root, isBody: true }) ?? text,
    path,
    false,
  )
}
