/**
 * Binds the identifiers of a recording to those of a replay, and carries messages over from one to the other. Only
 * places that were learned change; everything else of a message is the same bytes.
 */
import { setBounded } from '../../engine/bounded.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Exchange, ExchangeRequest } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { renamedAbout } from './about.ts'
import type { Binding, Conflict, Unresolved } from './binding.ts'
import { answerable, sendable } from './carried-headers.ts'
import type { Correlation, Identifier, Site } from './correlation.ts'
import { createTeacher, type Given } from './learn-names.ts'
import { createLookup } from './learn.ts'
import {
  editHeaders,
  editReply,
  editRequest,
  type Mention,
  type Visit,
  type Walk,
} from './mentions.ts'
import { createNameTable } from './names.ts'
import { leastEmbedded, renewed } from './shapes.ts'
import type { IdentifierKind } from './identifier-kind.ts'

export interface BindingOptions {
  readonly correlation: Correlation
  readonly exchanges: readonly RecordedExchange[]
  /** Another seed makes other names; the same one the same. A run that is to meet fresh state needs a fresh seed. */
  readonly seed: number
  /** Old name to new name, for what both sides know from configuration. */
  readonly shared?: Readonly<Record<string, string>>
  /** Ours stay what they were: for a subject that must recognise what it has seen before. */
  readonly sameIds?: boolean
  /** Ours are made up by a state machine that runs along, and are learned from what it says as theirs are. */
  readonly learnsOurs?: boolean
}

/** Requests that are under way are far fewer; one that is no more here is read like any other. */
const mostMade = 2000

/** A request as it was made last. */
interface Made {
  readonly request: ExchangeRequest
  /** Path, query and fragment of its URL. */
  readonly path: string
  readonly given: readonly Given[]
}

/** Path, query and fragment of a URL, which a host may stand before. */
const behindHost = (url: string): string => /^(?:[^:/?#]+:\/\/[^/?#]*)?(.*)$/s.exec(url)?.[1] ?? url

/** As often as another name is tried where the first is somebody's already. */
const mostTries = 100

export function createBinding(options: BindingOptions): Binding {
  const { correlation, exchanges, seed, shared = {}, sameIds = false, learnsOurs = false } = options
  const { identifiers } = correlation
  const lookup = createLookup(identifiers)
  const table = createNameTable()
  const numbers = new Map(exchanges.map(({ recordId, seq }) => [recordId, seq]))
  const operations = new Map(exchanges.map(({ recordId, operation }) => [recordId, operation]))

  function renew({ kind, value }: Identifier): string {
    // A long value is one name, whatever kind it was taken for; a short one may be a name in several.
    const name = value.length < leastEmbedded ? kind : ''
    for (let nth = 0; nth < mostTries; nth++) {
      const longer = nth < mostTries / 2 ? value : `${value}0`
      const fresh = renewed(longer, seed, name, nth)
      if (fresh !== value && table.against(kind, value, fresh) === undefined) return fresh
    }
    return renewed(`${value}00000000`, seed, name)
  }

  /** The new name, made now where it is ours to make. */
  function nameNow(identifier: Identifier): string | undefined {
    const { kind, value, origin } = identifier
    const bound = table.newName(kind, value)
    if (bound !== undefined) return bound
    if (origin === 'secret') return value
    if (origin === 'shared') return Object.hasOwn(shared, value) ? shared[value] : value
    const elsewhere = table.newNameOfAny(value)
    if (elsewhere !== undefined) return elsewhere
    if (origin === 'theirs' || (learnsOurs && kind !== 'request')) return undefined
    const fresh = sameIds ? value : renew(identifier)
    table.put(kind, value, fresh)
    return fresh
  }

  function because({ kind, value, born }: Identifier): string {
    const operation = operations.get(born.recordId) ?? 'an unknown call'
    const number = numbers.get(born.recordId) ?? '?'
    const where = `the ${born.side} of exchange ${number} (${operation}) at ${born.at}`
    return `the new name of ${kind} ${value} is not known: it should have been learned from ${where}.`
  }

  interface Carrying {
    readonly visit: Visit
    readonly missing: () => Unresolved | undefined
    /** Names that were given, and that the table does not have. */
    readonly given: readonly Given[]
  }

  /** Requests as they were made last, by record. */
  const made = new Map<string, Made>()

  /** What went out is what we made, with other headers, and to another host: nothing in it is news. */
  function madeAs(recorded: RecordedExchange, { request, fault }: Exchange) {
    const before = made.get(recorded.recordId)
    if (!before || fault !== undefined || request.body !== before.request.body) return undefined
    const isSame = request.method === before.request.method && request.url.endsWith(before.path)
    return isSame ? before : undefined
  }

  /** Puts new names in the places of a recorded exchange, and remembers the first that is not known. */
  function carry(recordId: string, mints: boolean): Carrying {
    let missing: Unresolved | undefined
    const given: Given[] = []
    const visit = (mention: Mention): string | undefined => {
      const identifier = lookup.find(mention)
      if (!identifier) return undefined
      const { kind, value, origin } = identifier
      if (mints && kind === 'token' && table.newName(kind, value) === undefined)
        table.put(kind, value, sameIds ? value : renew(identifier))
      const bound = table.newName(kind, value)
      if (bound !== undefined) return bound
      const name = nameNow(identifier)
      const isNews = table.newName(kind, value) === undefined
      const site: Site = { recordId, side: mention.side, at: mention.at() }
      const stays = name === undefined && origin === 'theirs' && kind === 'request'
      if (isNews && origin !== 'shared' && (origin !== 'secret' || kind === 'token'))
        if (name !== undefined || stays) given.push({ identifier, site, name: name ?? value })
      if (name !== undefined) return name
      // Somebody's own mark on a request that is not theirs: an echo, which whoever answers takes from the live one.
      if (stays) return undefined
      missing ??= { kind, old: value, site, because: because(identifier) }
      return undefined
    }
    return { visit, missing: () => missing, given }
  }

  const carried = <Value>(
    value: Value,
    missing: Unresolved | undefined,
  ): Result<Value, Unresolved> => (missing ? no(missing) : ok(value))

  const back: Visit = ({ kind, value, isPart }) => {
    const typed = kind === undefined ? undefined : table.oldName(kind, value)
    if (typed !== undefined) return typed
    if (!isPart && kind === undefined) {
      const guessed = table.oldName('unknown', value)
      if (guessed !== undefined) return guessed
    }
    return sharedBack.get(value) ?? table.oldNameOfAny(value)
  }
  const sharedBack = new Map(Object.entries(shared).map(([old, live]) => [live, old]))

  function bind(kind: string, old: string, live: string, at: Site): Conflict | undefined {
    const against = table.against(kind, old, live)
    if (against === undefined) {
      if (table.newName(kind, old) === undefined) table.put(kind, old, live, at)
      return undefined
    }
    const conflict = { kind, old, new: live, against, at }
    table.report(conflict)
    return conflict
  }

  const teacher = createTeacher({
    correlation,
    table,
    nameOf: nameNow,
    bind,
    given: (recorded, live) => madeAs(recorded, live)?.given,
  })
  const renamedText = (value: string, kind?: IdentifierKind): string =>
    back({
      side: 'request',
      at: () => '',
      value,
      isGuess: false,
      isPart: false,
      ...(kind ? { kind } : {}),
    }) ?? value

  function renamedRequest(
    live: Exchange,
    walk: Walk,
    recorded: RecordedExchange | undefined,
  ): ExchangeRequest {
    const before = recorded && madeAs(recorded, live)
    if (!before) return editRequest(live, walk)
    const { method, url, headers } = live.request
    const { url: was, body } = recorded.request
    const host = url.slice(0, url.length - before.path.length)
    return {
      method,
      url: before.path === '' ? url : host + behindHost(was),
      headers: editHeaders(headers, 'request', walk),
      ...(body === undefined ? {} : { body }),
    }
  }

  return {
    request(recorded, shiftMs) {
      const { visit, missing, given } = carry(recorded.recordId, false)
      const headers = sendable(recorded.request.headers)
      const request = editRequest(
        { ...recorded, request: { ...recorded.request, headers } },
        { visit, shiftMs },
      )
      const path = behindHost(request.url)
      setBounded(made, recorded.recordId, { request, path, given }, mostMade)
      return carried(request, missing())
    },
    reply(recorded, shiftMs) {
      const { recordId, reply, seq, operation } = recorded
      const { visit, missing } = carry(recordId, true)
      const given = reply && {
        ...recorded,
        reply: { ...reply, headers: answerable(reply.headers) },
      }
      const edited = given && editReply(given, { visit, shiftMs })
      if (edited) return carried(edited, missing())
      const name = operation ?? recorded.request.url
      const site: Site = { recordId, side: 'reply', at: '' }
      return no({
        kind: 'unknown',
        old: '',
        site,
        because: `exchange ${seq} (${name}) has no reply in the recording, so there is none to give.`,
      })
    },
    learn: teacher,
    renamed(live, shiftMs, recorded) {
      const walk = { visit: back, shiftMs: -shiftMs }
      const reply = editReply(live, walk)
      return {
        ...live,
        request: renamedRequest(live, walk, recorded),
        ...(reply ? { reply } : {}),
        ...renamedAbout(live, renamedText),
      }
    },
    oldName: table.oldName,
    newName(kind, old) {
      const bound = table.newName(kind, old)
      if (bound !== undefined) return bound
      const identifier = lookup.find({
        side: 'request',
        at: () => '',
        value: old,
        kind: kind as IdentifierKind,
        isGuess: false,
        isPart: false,
      })
      return identifier?.kind === kind ? nameNow(identifier) : undefined
    },
    bind,
    map: table.rows,
    conflicts: table.conflicts,
  }
}
