/** Bodies: JSON, forms, parts of a form, markup, or plain text; what a body is shows in the body, then in its type. */
import { classOf, meaningOf } from './keys.ts'
import { redactPairs } from './pairs.ts'
import { replaceWith, type Root, type Walk } from './walk.ts'

/** A padded base64 text is none, though it ends in the sign. */
const form = /^[\w.~%+[\]-]+=(?!=?$)[^\s<>{}]*$/
const quotedByEntities = /^\s*[{[]\s*&(?:quot|#34|#x22);/i
/** An opening tag, its bare name, and the text up to the next tag. */
const tag = /(<(?:[\w-]+:)?([\w-]+)(?:\s[^<>]*)?>)([^<>]+)(?=<\/)/g

export interface BodyPlace {
  /** The content type, with its parameters; may be empty. */
  readonly type: string
  readonly path: string
  readonly root: Root
}

/** `<email>…</email>`: a tag is a key, what stands between is its value. */
function redactMarkup(walk: Walk, text: string, { path, root }: BodyPlace): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(tag)) {
    const [, open = '', bare = '', value = ''] = match
    const { always, ofPerson } = meaningOf(bare)
    const definition = always ?? (root.person === true ? ofPerson : undefined)
    const next = definition ? replaceWith(walk, definition, value, `${path}/${bare}`) : value
    const from = match.index + open.length
    result += text.slice(done, from) + next
    done = from + value.length
  }
  return walk.text(walk, result + text.slice(done), path, false)
}

/** Parts between boundary lines; each has headers of its own, an empty line, and a body that is any body. */
function redactParts(walk: Walk, text: string, boundary: string, place: BodyPlace): string {
  const line = `--${boundary}`
  return text
    .split(line)
    .map((part) => redactPart(walk, part, place))
    .join(line)
}

function redactPart(walk: Walk, part: string, { path, root }: BodyPlace): string {
  const head = /^\r?\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(part)?.[0]
  if (head === undefined) return part
  const tail = /\r?\n$/.exec(part)?.[0] ?? ''
  const value = part.slice(head.length, part.length - tail.length)
  const name = /;\s*name="?([^";\r\n]+)/i.exec(head)?.[1] ?? ''
  const meaning = meaningOf(name)
  const at = `${path}/${meaning.name}`
  const definition = classOf(meaning, value, root)
  const next = definition
    ? replaceWith(walk, definition, value, at)
    : redactBody(walk, value, { type: '', path: at, root })
  return walk.text(walk, head, at, true) + next + tail
}

export function redactBody(walk: Walk, text: string, { type, path, root }: BodyPlace): string {
  // Archives forget the type, or its parameter: then the first line tells.
  const boundary =
    /multipart\/[^;]+;.*boundary="?([^";]+)/i.exec(type)?.[1] ??
    /^--([\w'()+,./:=? -]{1,70})\r?\ncontent-/i.exec(text)?.[1]
  if (boundary !== undefined) return redactParts(walk, text, boundary, { type, path, root })
  // A document whose quotes are entities is none until those are read.
  if (quotedByEntities.test(text)) return walk.text(walk, text, path, false)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  if (first === '{' || first === '[') return walk.json(walk, text, path, root)
  if (first === '"' && /json/i.test(type)) return walk.json(walk, text, path, root)
  if (first === '<') return redactMarkup(walk, text, { type, path, root })
  if (/x-www-form-urlencoded/i.test(type) || form.test(text))
    return redactPairs(walk, text, path, root.person === true)
  return walk.text(walk, text, path, false)
}
