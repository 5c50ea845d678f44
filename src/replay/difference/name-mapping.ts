/**
 * Maps the identifiers and times of one recording to those of another. Learned from all paired units at once: an
 * identifier is bound by majority vote, so that a single wrong place remains a difference.
 */
import { isRoundedPair } from '../../core/traffic/json/lossless-json.ts'
import { compact } from '../../core/base/compact.ts'
import type { RenamedIdentifier } from '../../core/traffic/recording/binding.ts'
import { secretKinds, sharedKinds } from '../../core/traffic/entities/field-meaning.ts'
import {
  forEachMention,
  editReply,
  editRequest,
  type Mention,
} from '../../core/traffic/entities/mentions.ts'
import { looksGenerated, identifierShape } from '../../core/traffic/entities/identifier-shapes.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { replyDocument, requestDocument, type DocumentSide } from './document.ts'
import { instantInText } from './text-form.ts'
import { escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { isJsonObject, isList } from '../../core/traffic/recording/json.ts'
import { matchLists } from './match-lists.ts'
import { renameExchangeIds } from '../identity/correlation/name-table.ts'

type Leaf = readonly [recorded: unknown, live: unknown, at: string, liveAt: string]

const maxDepth = 60

/** Pairs of leaf values of two bodies, with their pointers. */
function leavesOf(left: unknown, right: unknown): readonly Leaf[] {
  const leaves: Leaf[] = []
  function collect([a, b, at, liveAt]: Leaf, depth: number): void {
    if (depth > maxDepth) return
    if (isList(a) && isList(b)) {
      for (const { left: i, right: j } of matchLists(a, b, { isUnordered: false }).pairs)
        if (i !== undefined && j !== undefined)
          collect([a[i], b[j], `${at}/${i}`, `${liveAt}/${j}`], depth + 1)
    } else if (isJsonObject(a) && isJsonObject(b)) {
      for (const key of Object.keys(a))
        if (Object.hasOwn(b, key)) {
          const part = escapePointerKey(key)
          collect([a[key], b[key], `${at}/${part}`, `${liveAt}/${part}`], depth + 1)
        }
    } else leaves.push([a, b, at, liveAt])
  }
  collect([left, right, '/body', '/body'], 0)
  return leaves
}

const ignoredKinds: ReadonlySet<string> = new Set([...secretKinds, 'request'])

/** The complete identifiers in an exchange, by their places. */
function mentionsIn(exchange: Exchange): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>()
  forEachMention(exchange, (mention) => {
    if (!mention.isPart && !ignoredKinds.has(mention.kind ?? ''))
      found.set(`${mention.side}${mention.at()}`, mention)
  })
  return found
}

/** Machine-generated identifiers are unique everywhere; others only within their kind. */
const identifierKey = (kind: string | undefined, value: string): string =>
  looksGenerated(value) ? value : `${kind ?? ''} ${value}`

/** Identifiers that both sides know beforehand keep their value, unless they are machine-generated. */
const mayChange = ({ kind, value }: Mention): boolean =>
  kind === undefined || !sharedKinds.has(kind) || looksGenerated(value)

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

interface Vote {
  readonly kind: string
  readonly old: string
  readonly new: string
  count: number
}

export class NameMapping {
  readonly #votes = new Map<string, Vote>()
  readonly #distances = new Map<string, number[]>()
  readonly #allDistances: number[] = []
  /** By the key of the live identifier. */
  readonly #oldNames = new Map<string, Vote>()
  /** By the recorded identifier alone. */
  readonly #newNames = new Map<string, string>()

  learn(recorded: Exchange, live: Exchange, about: string): void {
    const [a, b] = [mentionsIn(recorded), mentionsIn(live)]
    const learnBody = (side: DocumentSide): void => {
      const documentOf = side === 'request' ? requestDocument : replyDocument
      const leaves = leavesOf(documentOf(recorded).body, documentOf(live).body)
      for (const [value, other, at, liveAt] of leaves) {
        const [then, now] = [instantInText(value), instantInText(other)]
        if (then !== undefined && now !== undefined) {
          const list = this.#distances.get(about) ?? []
          this.#distances.set(about, list)
          list.push(now - then)
          this.#allDistances.push(now - then)
        }
        const [mention, same] = [a.get(`${side}${at}`), b.get(`${side}${liveAt}`)]
        if (mention && same && !isRoundedPair(value, other)) this.#vote(mention, same)
      }
    }
    learnBody('request')
    for (const [place, mention] of a) {
      const same = /^(?:request|reply)\/body/.test(place) ? undefined : b.get(place)
      if (same) this.#vote(mention, same)
    }
    learnBody('reply')
  }

  /** Binds identifiers by the votes; must precede `renamed`. */
  bind(): void {
    const taken = new Set<string>()
    for (const each of [...this.#votes.values()].toSorted((a, b) => b.count - a.count)) {
      const old = identifierKey(each.kind, each.old)
      const key = identifierKey(each.kind, each.new)
      if (taken.has(old) || this.#oldNames.has(key)) continue
      taken.add(old)
      this.#oldNames.set(key, each)
      this.#newNames.set(each.old, each.new)
    }
  }

  /** A live exchange with the identifiers and times of the recording. */
  renamed(live: Exchange, about: string): Exchange {
    const shift = this.#shiftOf(about)
    const walk = {
      visit: ({ kind, value }: Mention) =>
        this.#oldName(kind, value) ?? this.#oldName('unknown', value),
      shiftMs: shift,
      from: live.startedAt - shift,
      isBack: true,
    } as const
    const reply = editReply(live, walk)
    return {
      ...live,
      startedAt: live.startedAt - shift,
      request: editRequest(live, walk),
      ...compact({ reply }),
      ...renameExchangeIds(live, (text, kind) => this.#renamedText(text, kind)),
    }
  }

  /** Whether a recorded value is an identifier that is bound to another live one. */
  isBoundElsewhere(recorded: unknown, live: unknown): boolean {
    return (
      typeof recorded === 'string' &&
      typeof live === 'string' &&
      looksGenerated(recorded) &&
      looksGenerated(live) &&
      this.#newNames.has(recorded)
    )
  }

  map(): readonly RenamedIdentifier[] {
    return [...this.#oldNames.values()]
      .filter((each) => each.old !== each.new)
      .map(({ kind, old, new: now }) => ({ kind, old, new: now }))
  }

  #vote(left: Mention, right: Mention): void {
    if (!mayChange(left) || identifierShape(left.value) !== identifierShape(right.value)) return
    const key = JSON.stringify([
      identifierKey(left.kind, left.value),
      identifierKey(right.kind, right.value),
    ])
    const before = this.#votes.get(key)
    if (before) before.count++
    else {
      const { kind = 'unknown', value: old } = left
      this.#votes.set(key, { kind, old, new: right.value, count: 1 })
    }
  }

  #shiftOf(about: string): number {
    return median(this.#distances.get(about) ?? []) ?? median(this.#allDistances) ?? 0
  }

  #oldName(kind: string | undefined, value: string): string | undefined {
    return this.#oldNames.get(identifierKey(kind, value))?.old
  }

  #renamedText(text: string, kind?: string): string {
    return this.#oldName(kind, text) ?? this.#oldName('unknown', text) ?? text
  }
}
