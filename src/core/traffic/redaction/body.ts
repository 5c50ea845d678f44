/**
 * Redacts bodies: JSON, forms, multipart with such parts, plain text. Any other body is replaced whole. The format is
 * detected from the body first, then from the content type.
 */
import { isEscaped } from './coded-text.ts'
import { classForKey, keyMeaningOf } from './keys.ts'
import { redactPairs, isFormOfPerson } from './pairs.ts'
import { percentEncode } from './percent-encoding.ts'
import { bodyPlaceholder, isPlaceholder } from './pseudonyms.ts'
import { isGraphql, isMarkup, isUnreadNotation, learnNamedValues } from './unread-notations.ts'
import { costs, replaceByClass, type DocumentTopic, type RedactionWalk } from './walk.ts'

/** The first name of a form. A padded base64 text is none, though it contains `=`. */
const formStart = /^[\w.~%+[\]-]{1,1000}=(?!=?$)/
/** Two searches, since one pattern over a text of millions of characters may overflow the stack of the matcher. */
const isForm = (text: string): boolean => formStart.test(text) && !/[\s<>{}]/.test(text)

/** Content types under which a text may be plain: a server may say JSON and answer with a sentence. */
const plainType = /^\s*(?:$|;|x-unknown|text\/plain|application\/x-www-form-urlencoded|[^;]*json)/i

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
  const texts = text.split(line)
  walk.spend?.(texts.length * costs.newKey)
  const parts = texts.map((part) => ({ part, form: formPart(part) }))
  // Next to an e-mail address a `name` is a person's, as in any form.
  const person = isFormOfPerson(
    place.root,
    parts
      .flatMap(({ form: each }) => (each ? `${each.name}=${percentEncode(each.value)}` : []))
      .join('&'),
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
  const place = {
    type: /^content-type:(.*)/im.exec(head)?.[1]?.trim() ?? '',
    path: `${path}/${meaning.name}`,
    root,
  }
  const definition = classForKey(meaning, value, root)
  const next = /^content-transfer-encoding:\s*(?:quoted-printable|base64)/im.test(head)
    ? replaceWhole(walk, value, place)
    : definition
      ? replaceByClass(walk, definition, value, place.path)
      : redactBody(walk, value, place)
  return walk.text(walk, head, place.path, true) + next + tail
}

/** Replaces a body that is not read. */
function replaceWhole(walk: RedactionWalk, text: string, { type, path }: BodyContext): string {
  if (text.trim() === '' || isPlaceholder(text)) return text
  walk.report(path, 'body')
  learnNamedValues(walk, text, path)
  return bodyPlaceholder(text, type, walk.pseudonyms)
}

export function redactBody(walk: RedactionWalk, text: string, place: BodyContext): string {
  const { type, path, root } = place
  if (text.includes('\0')) return replaceWhole(walk, text, place)
  // Archives may lack the type or its boundary: then the first line shows it.
  const boundary =
    /^\s*multipart\/[^;]+;.*boundary="?([^";]+)/i.exec(type)?.[1] ??
    /^--([\w'()+,./:=? -]{1,70})\r?\ncontent-/i.exec(text)?.[1]
  if (boundary !== undefined) return redactParts(walk, text, boundary, place)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  const isJson = first === '{' || first === '[' || (first === '"' && /json/i.test(type))
  // JSON with entities as quotes cannot be scanned.
  if (isJson && !/graphql/i.test(type) && !/^\s*[{[]\s*&/.test(text) && !isGraphql(text))
    return walk.json(walk, text, path, root)
  if ((/x-www-form-urlencoded/i.test(type) && !isMarkup(text)) || isForm(text)) {
    walk.spend?.(text.split('&').length * costs.pair)
    return redactPairs(walk, text, path, isFormOfPerson(root, text))
  }
  return plainType.test(type) && !isJson && !isUnreadNotation(text, true) && !isEscaped(text)
    ? walk.text(walk, text, path, false)
    : replaceWhole(walk, text, place)
}
