/**
 * Learns new names from what happened in the place of a recorded exchange: the live value at the place of the old one.
 * Where that place is not there, the `Location` header, the same key elsewhere, or the only value of the same shape may
 * tell; more than one candidate tells nothing.
 */
import type { Exchange, HeaderPairs } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { headerKind } from '../redaction/headers.ts'
import { type Aligned, alignDocuments, type Names } from './align.ts'
import type { Binding, Conflict } from './binding.ts'
import type { Correlation, Identifier, Site, Standing } from './correlation.ts'
import { keysIn, pointerPart } from '../json/json-pointer.ts'
import { jsonIn } from '../json/json-value.ts'
import { editJson } from './json-text.ts'
import { eachMention, type Mention, type Side } from './mentions.ts'
import type { NameTable } from './names.ts'
import { shapeOf } from './shapes.ts'
import { keyOf } from './times.ts'

export interface TeacherOptions {
  readonly correlation: Correlation
  readonly table: NameTable
  readonly nameOf: (identifier: Identifier) => string | undefined
  readonly bind: Binding['bind']
  /** The names that a live request has as we gave them; undefined when it is not as we made it. */
  readonly given: (recorded: RecordedExchange, live: Exchange) => readonly Given[] | undefined
}

/** A name that went out at a place, and that no table has. */
export interface Given extends Standing {
  readonly name: string
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const messageOf = (exchange: Exchange, side: Side): Message =>
  side === 'request' ? exchange.request : exchange.reply

/** What stands at the places of one side of an exchange: by place, whole texts. */
function textsIn(exchange: Exchange, side: Side): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const see = ({ at, value, isPart }: Mention): void => {
    if (isPart) return
    const place = at()
    if (!texts.has(place)) texts.set(place, value)
  }
  eachMention(exchange, see, { side })
  return texts
}

/** One side of the recorded and of the live exchange; what is made of them is made when somebody asks. */
class Sides {
  readonly #recorded: Exchange
  readonly #live: Exchange
  readonly #side: Side
  readonly #names: Names
  #documents:
    { readonly before: unknown; readonly at: ReturnType<typeof alignDocuments> } | undefined
  #texts: ReadonlyMap<string, string> | undefined

  constructor(recorded: Exchange, live: Exchange, side: Side, names: Names) {
    this.#recorded = recorded
    this.#live = live
    this.#side = side
    this.#names = names
  }

  get recorded(): Message {
    return messageOf(this.#recorded, this.#side)
  }

  get live(): Message {
    return messageOf(this.#live, this.#side)
  }

  get documents() {
    if (this.#documents) return this.#documents
    const before = jsonIn(this.recorded?.body)
    const at = alignDocuments(before, jsonIn(this.live?.body), this.#names)
    return (this.#documents = { before, at })
  }

  /** The live text at a place of a path, a query or a form. */
  textAt(place: string): string | undefined {
    this.#texts ??= textsIn(this.#live, this.#side)
    return this.#texts.get(place)
  }
}

/** The text at a place that no mention holds whole: a URL with an id in it. */
function textAt(document: unknown, pointer: string): string | undefined {
  let value = document
  for (const key of keysIn(pointer))
    value =
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const headerIn = (message: Message, name: string): string | undefined =>
  message?.headers.find(([other]) => other.toLowerCase() === name)?.[1]

/** What follows is the same, or it begins as what follows in a URL does. */
function endBefore(after: string, live: string, from: number): number {
  const same = live.indexOf(after, from)
  return same >= 0 || !/^[/?#&]/.test(after) ? same : live.indexOf(after.slice(0, 1), from)
}

/** What stands in a live text where the old name stood in the recorded one: what is around it must be the same. */
function cutOut(recorded: string, old: string, live: string): string | undefined {
  const start = recorded.indexOf(old)
  if (start < 0) return undefined
  if (recorded === old) return live
  const after = recorded.slice(start + old.length)
  const before = recorded.slice(0, start)
  // A host or a base may be another one: the part of the path before the name is what has to be there.
  const lead = before.slice(before.lastIndexOf('/', before.length - 2) + 1)
  const from = lead === '' ? 0 : live.lastIndexOf(lead) + lead.length
  if (lead !== '' && !live.includes(lead)) return undefined
  const to = after === '' ? live.length : endBefore(after, live, from)
  return to < from ? undefined : live.slice(from, to)
}

const isPlausible = (value: string): boolean =>
  value !== '' && value.length <= 500 && !/\s/.test(value)

const mostLeaves = 20_000

interface Leaf {
  readonly key: string
  readonly value: string
}

function leavesOf(body: string | undefined): readonly Leaf[] {
  const leaves: Leaf[] = []
  editJson(body ?? '', (frames, value) => {
    if (leaves.length < mostLeaves) leaves.push({ key: keyOf(frames), value })
    return undefined
  })
  return leaves
}

export function createTeacher(teacher: TeacherOptions): Binding['learn'] {
  const { correlation, table, nameOf, bind } = teacher
  const byValue = new Map(correlation.identifiers.map((each) => [each.value, each]))
  const tokens = new Map(
    correlation.identifiers.flatMap((each) => (each.kind === 'token' ? [[each.value, each]] : [])),
  )
  const names = {
    expected: (text: string): string | undefined => {
      const identifier = byValue.get(text)
      if (!identifier) return text
      return identifier.origin === 'ours' || identifier.origin === 'theirs'
        ? table.newName(identifier.kind, text)
        : nameOf(identifier)
    },
    isTaken: (text: string): boolean => table.oldNameOfAny(text) !== undefined,
  }

  /** Sent by somebody, or looked for in vain: the candidates that nobody has a name for yet. */
  function fallback(identifier: Identifier, site: Site, live: Message): string | undefined {
    const location = headerIn(live, 'location')
    const last = location
      ?.split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '')
    if (last !== undefined && shapeOf(last) === shapeOf(identifier.value)) return last
    const leaves = leavesOf(live?.body).filter(
      ({ value }) => !names.isTaken(value) && isPlausible(value),
    )
    const key = site.at.split('/').findLast((part) => !/^\d+$/.test(part))
    const sameKey = [
      ...new Set(leaves.filter((leaf) => leaf.key === key).map(({ value }) => value)),
    ]
    if (sameKey.length === 1) return sameKey[0]
    const shape = shapeOf(identifier.value)
    const sameShape = new Set(
      leaves.map(({ value }) => value).filter((value) => shapeOf(value) === shape),
    )
    return sameShape.size === 1 && identifier.value.length >= 8 ? [...sameShape][0] : undefined
  }

  function liveAt(sides: Sides, { value }: Identifier, { at }: Site): Aligned | undefined {
    if (at.startsWith('/body') && sides.documents.before !== undefined) {
      const pointer = at.slice('/body'.length)
      const aligned = sides.documents.at(pointer)
      const text = aligned && textAt(aligned.value, '')
      const old = textAt(sides.documents.before, pointer)
      if (text === undefined || old === undefined) return undefined
      return { value: cutOut(old, value, text), sure: aligned?.sure ?? false }
    }
    if (at.startsWith('/headers/')) {
      const name = at.slice('/headers/'.length)
      const old = headerIn(sides.recorded, name)
      const text = headerIn(sides.live, name)
      if (text === undefined || old === undefined) return undefined
      return { value: cutOut(old, value, text), sure: true }
    }
    return { value: sides.textAt(at), sure: true }
  }

  /** The tokens of a request that went out as we made it: who sends puts those of now in. */
  function tokensOf({ recordId, request }: RecordedExchange, live: Exchange): readonly Given[] {
    const found: Given[] = []
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase()
      if (headerKind(lower) !== 'credentials') continue
      const identifier = tokens.get(value.slice(value.lastIndexOf(' ') + 1))
      const now = identifier && headerIn(live.request, lower)
      const fresh = now === undefined ? undefined : cutOut(value, identifier?.value ?? '', now)
      if (!identifier || fresh === undefined) continue
      const site: Site = { recordId, side: 'request', at: `/headers/${pointerPart(lower)}` }
      found.push({ identifier, site, name: fresh })
    }
    return found
  }

  return (recorded: RecordedExchange, live: Exchange): readonly Conflict[] => {
    const { recordId } = recorded
    const given = teacher.given(recorded, live)
    const standing = correlation.in(recordId, given ? 'reply' : undefined)
    const sidesOf = {
      request: new Sides(recorded, live, 'request', names),
      reply: new Sides(recorded, live, 'reply', names),
    } as const
    const conflicts: Conflict[] = []

    function take(identifier: Identifier, site: Site, { value, sure }: Aligned): void {
      const { kind, value: old, origin } = identifier
      if (typeof value !== 'string' || !isPlausible(value)) return
      // Whose requests are whose is nobody's promise, and a token is what it is.
      const isFree = kind === 'request' || kind === 'receipt' || origin === 'secret' || !sure
      if (isFree && table.against(kind, old, value) !== undefined) return
      const conflict = bind(kind, old, value, site)
      if (conflict) conflicts.push(conflict)
    }

    const isGiven = ({ identifier, site, name }: Given): void =>
      take(identifier, site, { value: name, sure: true })
    given?.forEach(isGiven)
    if (given) tokensOf(recorded, live).forEach(isGiven)
    if (standing.length === 0) return conflicts
    // What is known for sure first: it tells which members of lists belong together.
    const left: Standing[] = []
    for (const { identifier, site } of standing) {
      const { origin, kind } = identifier
      if (origin === 'shared' || (origin === 'secret' && kind !== 'token')) continue
      const aligned = liveAt(sidesOf[site.side], identifier, site)
      if (aligned?.value !== undefined) take(identifier, site, aligned)
      else left.push({ identifier, site })
    }
    for (const { identifier, site } of left) {
      const { kind, value: old, origin, born } = identifier
      const isBirth = born.recordId === site.recordId && born.side === site.side
      if (origin !== 'theirs' || !isBirth || table.newName(kind, old) !== undefined) continue
      const value = fallback(identifier, site, messageOf(live, site.side))
      if (value !== undefined) take(identifier, site, { value, sure: false })
    }
    return conflicts
  }
}
