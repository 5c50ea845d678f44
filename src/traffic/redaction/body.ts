/** Bodies: JSON, forms, parts of a form, markup, or plain text; what a body is shows in the body, then in its type. */
import { classOf, meaningOf } from './keys.ts'
import { redactMarkup } from './markup.ts'
import { encode, redactPairs, tellsOfPerson } from './pairs.ts'
import { replaceWith, type Root, type Walk } from './walk.ts'

/** A padded base64 text is none, though it ends in the sign. */
const form = /^[\w.~%+[\]-]+=(?!=?$)[^\s<>{}]*$/
const quotedByEntities = /^\s*[{[]\s*&(?:quot|#34|#x22);/i
export interface BodyPlace {
  /** The content type, with its parameters; may be empty. */
  readonly type: string
  readonly path: string
  readonly root: Root
}

interface FormPart {
  readonly head: string
  readonly value: string
  readonly tail: string
  readonly name: string
}

/** Undefined is what stands in front of the first part, behind the last one, or has no end of its head. */
function formPart(part: string): FormPart | undefined {
  const head = /^\r?\n(?:[^\r\n]+\r?\n)*\r?\n/.exec(part)?.[0]
  if (head === undefined) return undefined
  const tail = /\r?\n$/.exec(part.slice(head.length))?.[0] ?? ''
  const value = part.slice(head.length, part.length - tail.length)
  return { head, value, tail, name: /;\s*name="?([^";\r\n]+)/i.exec(head)?.[1] ?? '' }
}

/** Parts between boundary lines; each has headers of its own, an empty line, and a body that is any body. */
function redactParts(walk: Walk, text: string, boundary: string, place: BodyPlace): string {
  const line = `--${boundary}`
  const parts = text.split(line).map((part) => ({ part, form: formPart(part) }))
  // Beside an e-mail address a name is a person's, as in any form.
  const person =
    place.root.person === true ||
    parts.some(({ form: each }) => each && tellsOfPerson(`${each.name}=${encode(each.value)}`))
  const root = person ? { ...place.root, person } : place.root
  return parts
    .map(({ part, form: each }) =>
      each ? redactPart(walk, each, { ...place, root }) : walk.text(walk, part, place.path, false),
    )
    .join(line)
}

function redactPart(
  walk: Walk,
  { head, value, tail, name }: FormPart,
  { path, root }: BodyPlace,
): string {
  const meaning = meaningOf(name)
  const at = `${path}/${meaning.name}`
  const definition = classOf(meaning, value, root)
  const next = definition
    ? replaceWith(walk, definition, value, at)
    : redactBody(walk, value, { type: '', path: at, root })
  return walk.text(walk, head, at, true) + next + tail
}

/** The lines of one event's data are one text; space between its tokens is all that a line end in it can be. */
function redactEvents(walk: Walk, text: string, { path, root }: BodyPlace): string {
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

/** Text in two bytes a letter is text in one to whoever does not look: every other letter is none. */
const wide = /^(?:(?:[^\0]\0)+|(?:\0[^\0])+)$/

function redactWide(walk: Walk, text: string, place: BodyPlace): string {
  const narrow = text.replaceAll('\0', '')
  const next = redactBody(walk, narrow, place)
  if (next === narrow) return text
  return text.startsWith('\0') ? next.replaceAll(/./gs, '\0$&') : next.replaceAll(/./gs, '$&\0')
}

export function redactBody(walk: Walk, text: string, { type, path, root }: BodyPlace): string {
  if (text.length > 3 && text.includes('\0') && wide.test(text))
    return redactWide(walk, text, { type, path, root })
  // Archives forget the type, or its parameter: then the first line tells.
  const boundary =
    /^\s*multipart\/[^;]+;.*boundary="?([^";]+)/i.exec(type)?.[1] ??
    /^--([\w'()+,./:=? -]{1,70})\r?\ncontent-/i.exec(text)?.[1]
  if (boundary !== undefined) return redactParts(walk, text, boundary, { type, path, root })
  // A document whose quotes are entities is none until those are read.
  if (quotedByEntities.test(text)) return walk.text(walk, text, path, false)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  if (first === '{' || first === '[') return walk.json(walk, text, path, root)
  if (first === '"' && /json/i.test(type)) return walk.json(walk, text, path, root)
  if (first === '<') return redactMarkup(walk, text, path, root)
  if (/event-stream/i.test(type)) return redactEvents(walk, text, { type, path, root })
  if (/x-www-form-urlencoded/i.test(type) || form.test(text))
    return redactPairs(walk, text, path, root.person === true)
  return walk.text(walk, text, path, false)
}
