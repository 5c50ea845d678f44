/**
 * Parser for tagged netstrings, the dump format of mitmproxy: `5:hello,` is payload length, payload and type character;
 * lists and dictionaries nest. Lengths are untrusted and checked against the available bytes.
 */
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { ByteQueue } from './byte-queue.ts'

export type TaggedValue =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | readonly TaggedValue[]
  | ReadonlyMap<string, TaggedValue>

const colon = 58
/** More digits than any allowed length has. */
const maxDigits = 10
const maxDepth = 40

const utf8 = new TextDecoder('utf-8')

interface Element {
  readonly payload: Uint8Array
  readonly type: string
  /** Offset behind its type character. */
  readonly end: number
}

/** The element that begins at `start`. */
function elementAt(bytes: Uint8Array, start: number): Result<Element, string> {
  let length = 0
  let at = start
  for (; bytes[at] !== colon; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9 || at - start >= maxDigits)
      return err('a length was expected and something else is there')
    length = length * 10 + digit
  }
  const from = at + 1
  const end = from + length
  if (at === start || end >= bytes.length) return err(`a length says ${length} and less is there`)
  return ok({
    payload: bytes.subarray(from, end),
    type: String.fromCharCode(bytes[end] ?? 0),
    end: end + 1,
  })
}

type Reader = (payload: Uint8Array, depth: number) => Result<TaggedValue, string>

const numberIn: Reader = (payload) => {
  const value = Number(utf8.decode(payload))
  return payload.length > 0 && payload.length < 40 && Number.isFinite(value)
    ? ok(value)
    : err('a number is none')
}

function valuesIn(payload: Uint8Array, depth: number): Result<readonly TaggedValue[], string> {
  if (depth > maxDepth) return err(`it is nested deeper than ${maxDepth} levels`)
  const values: TaggedValue[] = []
  for (let at = 0; at < payload.length;) {
    const element = elementAt(payload, at)
    if (!element.ok) return element
    const value = valueOf(element.value, depth)
    if (!value.ok) return value
    values.push(value.value)
    at = element.value.end
  }
  return ok(values)
}

const keyOf = (key: TaggedValue | undefined): string | undefined =>
  key instanceof Uint8Array ? utf8.decode(key) : typeof key === 'string' ? key : undefined

const readers: Readonly<Record<string, Reader>> = {
  ',': (payload) => ok(payload),
  ';': (payload) => ok(utf8.decode(payload)),
  '#': numberIn,
  '^': numberIn,
  '!': (payload) => ok(utf8.decode(payload) === 'true'),
  '~': () => ok(null),
  ']': valuesIn,
  '}': (payload, depth) => {
    const list = valuesIn(payload, depth)
    if (!list.ok) return list
    const map = new Map<string, TaggedValue>()
    for (let index = 0; index < list.value.length; index += 2) {
      const key = keyOf(list.value[index])
      const value = list.value[index + 1]
      if (key === undefined || value === undefined)
        return err('a dictionary has a key that is no text')
      map.set(key, value)
    }
    return ok(map)
  },
}

function valueOf({ payload, type }: Element, depth: number): Result<TaggedValue, string> {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  return read ? read(payload, depth + 1) : err(`the type ${JSON.stringify(type)} is not known`)
}

/** Removes the first value of the queue; undefined while it is incomplete. The queue cannot be read on after an error. */
export function takeTaggedValue(
  queue: ByteQueue,
  maxBytes: number,
): Result<TaggedValue, string> | undefined {
  const head = queue.indexOf(colon)
  if (head < 0) return queue.size() > maxDigits ? err('there is no length here') : undefined
  const front = queue.peek(head)
  const text = utf8.decode(front)
  if (head > maxDigits || !/^\d+$/.test(text)) return err('there is no length here')
  const length = Number(text)
  if (length > maxBytes)
    return err(`a flow of ${length} bytes is more than the ${maxBytes} that are read`)
  const totalBytes = head + 1 + length + 1
  if (queue.size() < totalBytes) return undefined
  const element = elementAt(queue.take(totalBytes), 0)
  return element.ok ? valueOf(element.value, 0) : element
}
