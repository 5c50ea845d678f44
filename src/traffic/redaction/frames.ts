/**
 * What the JSON walker knows while it stands inside an object or a list: the key it hangs on, what it is about, and
 * what can be decided only when the object ends, because keys come in any order: whether a `name` is a person's (an
 * e-mail address stands beside it), and what a `value` is (its `type` says so).
 */
import { classOfType } from './catalogue.ts'
import type { Place, RedactionClass } from './class.ts'
import { document, isValidDocument } from './classes/documents.ts'
import { personName } from './classes/persons.ts'
import { isHarmless } from './harmless.ts'
import { classOf, type KeyMeaning, meaningOf, normalKey } from './keys.ts'
import { deeper, replaceNumberWith, replaceWith, type Root, type Walk } from './walk.ts'

interface Waiting {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly broken: boolean
  readonly path: string
}

export interface Frame {
  readonly isList: boolean
  readonly parent?: Frame
  /** How it is called in a path. */
  readonly label: string
  /** The key that is read; a list has the key that it hangs on. */
  key: KeyMeaning
  keyLabel: string
  readonly place: Place | undefined
  readonly person: boolean | undefined
  /** Every text inside is of this class. */
  readonly forAll: RedactionClass | undefined
  /** A field beside the others tells about a person. */
  personal: boolean
  type: string | undefined
  names: Waiting[] | undefined
  value: Waiting | undefined
}

interface Scan {
  readonly walk: Walk
  readonly text: string
  readonly path: string
  readonly edits: { readonly from: number; readonly to: number; readonly text: string }[]
}

const noKey = meaningOf('')
const deepestPath = 60

const fresh = { personal: false, type: undefined, names: undefined, value: undefined }

export const rootFrame = ({ person, place }: Root): Frame => ({
  ...fresh,
  isList: false,
  label: '',
  key: noKey,
  keyLabel: '',
  place,
  person,
  forAll: undefined,
})

export function openFrame(parent: Frame, isList: boolean): Frame {
  const { key } = parent
  const forAll = key.always?.forAll ? key.always : parent.forAll
  if (key.opens === 'phone' || key.opens === 'contact') parent.personal = true
  return {
    ...fresh,
    isList,
    parent,
    label: parent.isList ? '*' : parent.keyLabel,
    // A list of a list still hangs on the key; an object in a list begins anew.
    key: isList ? key : noKey,
    keyLabel: isList ? '*' : '',
    place: key.opens ?? (key.person === undefined ? parent.place : undefined),
    person: key.person ?? (key.opens === 'contact' ? true : parent.person),
    forAll,
  }
}

function pathOf({ path }: Scan, frame: Frame): string {
  let tail = `/${frame.keyLabel}`
  let steps = 0
  // The outermost object hangs on nothing: it has no place in the path.
  for (let at: Frame | undefined = frame; at?.parent?.parent; at = at.parent) {
    if (++steps > deepestPath) return `${path}/…${tail}`
    tail = `/${at.label}${tail}`
  }
  return `${path}${tail}`
}

/** The text of a string literal; one that breaks off or has a wrong escape stands for itself. */
function textOf(literal: string, broken: boolean): string {
  const inner = literal.slice(1, broken ? undefined : -1)
  if (!inner.includes('\\')) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

function write(scan: Scan, at: Waiting, next: string): void {
  if (next === at.value) return
  const literal = JSON.stringify(next)
  scan.edits.push({
    from: at.from,
    to: at.to,
    text: at.broken ? literal.slice(0, -1) : literal,
  })
}

function takeKey(scan: Scan, frame: Frame, at: Waiting): void {
  frame.key = meaningOf(at.value)
  frame.keyLabel = at.value
  if (frame.key.isPlain) return
  // Objects are keyed by people too: by their e-mail addresses, by their numbers.
  const next = scan.walk.text(deeper(scan.walk), at.value, `${scan.path}/*`, true)
  // A key says what it says of its value before as after.
  frame.key = meaningOf(next)
  frame.keyLabel = next.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)
  write(scan, at, next)
}

export function takeString(
  scan: Scan,
  frame: Frame,
  { from, to, isKey }: { from: number; to: number; isKey: boolean },
): void {
  const literal = scan.text.slice(from, to)
  const broken = literal.length < 2 || !literal.endsWith('"')
  const value = textOf(literal, broken)
  if (isKey) {
    takeKey(scan, frame, { from, to, value, broken, path: '' })
    return
  }
  const { key } = frame
  if (key.name === 'type' || key.name === 'kind') frame.type = normalKey(value)
  const definition = classOf(key, value, frame) ?? (key.isId ? undefined : frame.forAll)
  const mayWait = key.name === 'value' || key.ofPerson?.id === 'name'
  // Most values are harmless: no path is spelled for them.
  if (!definition && !mayWait && isHarmless(value)) return
  const at: Waiting = { from, to, value, broken, path: pathOf(scan, frame) }
  if (definition) {
    if (definition.personal) frame.personal = true
    write(scan, at, replaceWith(scan.walk, definition, value, at.path))
  } else if (key.ofPerson?.id === 'name' && frame.person === undefined && !frame.isList) {
    ;(frame.names ??= []).push(at)
  } else if (key.name === 'value' && !frame.value) frame.value = at
  else write(scan, at, scan.walk.text(deeper(scan.walk), value, at.path, key.isId))
}

export function takeNumber(scan: Scan, frame: Frame, from: number, literal: string): void {
  const { key } = frame
  const looks = !key.isId && /^\d{11}$|^\d{14}$/.test(literal) && isValidDocument(literal)
  const definition = classOf(key, literal, frame) ?? (looks ? document : undefined)
  if (!definition) return
  if (definition.personal) frame.personal = true
  const next = replaceNumberWith(scan.walk, definition, literal, pathOf(scan, frame))
  if (next !== literal) scan.edits.push({ from, to: from + literal.length, text: next })
}

/** Decides what had to wait for the end of the object. */
export function closeFrame(scan: Scan, frame: Frame): void {
  const { walk } = scan
  for (const at of frame.names ?? [])
    write(
      scan,
      at,
      frame.personal
        ? replaceWith(walk, personName, at.value, at.path)
        : walk.text(deeper(walk), at.value, at.path, false),
    )
  const { value } = frame
  if (!value) return
  const definition = frame.type === undefined ? undefined : classOfType.get(frame.type)
  const next = definition
    ? replaceWith(walk, definition, value.value, value.path)
    : walk.text(deeper(walk), value.value, value.path, false)
  write(scan, value, next)
}
