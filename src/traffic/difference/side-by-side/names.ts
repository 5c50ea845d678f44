/**
 * The names of one recording for those of another, and how far their clocks are apart. Learned from all that stands
 * beside each other at once: a name is bound to the one that most places say, so that a single wrong place stays what it
 * is, a difference.
 */
import { renamedAbout } from '../../correlation/about.ts'
import type { Renamed } from '../../correlation/binding.ts'
import { secretKinds, sharedKinds } from '../../correlation/kinds.ts'
import { eachMention, editReply, editRequest, type Mention } from '../../correlation/mentions.ts'
import { looksMinted, shapeOf } from '../../correlation/shapes.ts'
import type { Exchange } from '../../exchange.ts'
import { replyDocument, requestDocument, type Side } from '../document.ts'
import { instantOf } from '../format.ts'
import { pointerPart } from '../../json/json-pointer.ts'
import { isList, isObject } from '../json.ts'
import { matchLists } from '../lists.ts'

export interface Names {
  readonly learn: (recorded: Exchange, live: Exchange, about: string) => void
  /** Binds what was learned. Then, and not before, exchanges can be renamed. */
  readonly settle: () => void
  /** A live exchange in the names and times of the recording. */
  readonly renamed: (live: Exchange, about: string) => Exchange
  /** Whether a recorded value is the name of something that has another name now. */
  readonly isBoundElsewhere: (recorded: unknown, live: unknown) => boolean
  readonly map: () => readonly Renamed[]
}

type Leaf = readonly [recorded: unknown, live: unknown, at: string, liveAt: string]

const deepest = 60

/** The leaves of two bodies that stand beside each other. */
function leavesOf(left: unknown, right: unknown): readonly Leaf[] {
  const leaves: Leaf[] = []
  function go([a, b, at, liveAt]: Leaf, depth: number): void {
    if (depth > deepest) return
    if (isList(a) && isList(b)) {
      for (const { left: i, right: j } of matchLists(a, b, { free: false }).pairs)
        if (i !== undefined && j !== undefined)
          go([a[i], b[j], `${at}/${i}`, `${liveAt}/${j}`], depth + 1)
    } else if (isObject(a) && isObject(b)) {
      for (const key of Object.keys(a))
        if (Object.hasOwn(b, key)) {
          const part = pointerPart(key)
          go([a[key], b[key], `${at}/${part}`, `${liveAt}/${part}`], depth + 1)
        }
    } else leaves.push([a, b, at, liveAt])
  }
  go([left, right, '/body', '/body'], 0)
  return leaves
}

const unnamed: ReadonlySet<string> = new Set([...secretKinds, 'request'])

/** The names that stand whole in an exchange, by their places. */
function mentionsIn(exchange: Exchange): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>()
  eachMention(exchange, (mention) => {
    if (!mention.isPart && !unnamed.has(mention.kind ?? ''))
      found.set(`${mention.side}${mention.at()}`, mention)
  })
  return found
}

/** A name that a machine made up is one name wherever it stands; others count only among their kind. */
const keyOf = (kind: string | undefined, value: string): string =>
  looksMinted(value) ? value : `${kind ?? ''} ${value}`

/** What both sides know from before keeps its name, unless nobody could have written it. */
const mayChange = ({ kind, value }: Mention): boolean =>
  kind === undefined || !sharedKinds.has(kind) || looksMinted(value)

const middle = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

interface Vote {
  readonly kind: string
  readonly old: string
  readonly new: string
  count: number
}

export function createNames(): Names {
  const votes = new Map<string, Vote>()
  const distances = new Map<string, number[]>()
  const everywhere: number[] = []
  /** By the key of the live name. */
  const oldNames = new Map<string, Vote>()
  /** By the recorded name alone. */
  const newNames = new Map<string, string>()

  function vote(left: Mention, right: Mention): void {
    if (!mayChange(left) || shapeOf(left.value) !== shapeOf(right.value)) return
    const key = JSON.stringify([keyOf(left.kind, left.value), keyOf(right.kind, right.value)])
    const before = votes.get(key)
    if (before) before.count++
    else
      votes.set(key, { kind: left.kind ?? 'unknown', old: left.value, new: right.value, count: 1 })
  }

  function learnBody(
    side: Side,
    [left, right]: readonly [Exchange, Exchange],
    about: string,
  ): void {
    const [a, b] = [mentionsIn(left), mentionsIn(right)]
    const documentOf = side === 'request' ? requestDocument : replyDocument
    const leaves = leavesOf(documentOf(left).body, documentOf(right).body)
    for (const [value, other, at, liveAt] of leaves) {
      const [then, now] = [instantOf(value), instantOf(other)]
      if (then !== undefined && now !== undefined) {
        const list = distances.get(about) ?? []
        distances.set(about, list)
        list.push(now - then)
        everywhere.push(now - then)
      }
      const [mention, same] = [a.get(`${side}${at}`), b.get(`${side}${liveAt}`)]
      if (mention && same) vote(mention, same)
    }
    if (side === 'reply') return
    for (const [place, mention] of a) {
      const same = place.startsWith('request/body') ? undefined : b.get(place)
      if (same) vote(mention, same)
    }
  }

  const shiftOf = (about: string): number =>
    middle(distances.get(about) ?? []) ?? middle(everywhere) ?? 0

  const oldName = (kind: string | undefined, value: string): string | undefined =>
    oldNames.get(keyOf(kind, value))?.old

  const renamedText = (text: string, kind?: string): string =>
    oldName(kind, text) ?? oldName('unknown', text) ?? text

  return {
    learn(recorded, live, about) {
      learnBody('request', [recorded, live], about)
      learnBody('reply', [recorded, live], about)
    },
    settle() {
      const taken = new Set<string>()
      for (const each of [...votes.values()].toSorted((a, b) => b.count - a.count)) {
        const old = keyOf(each.kind, each.old)
        const key = keyOf(each.kind, each.new)
        if (taken.has(old) || oldNames.has(key)) continue
        taken.add(old)
        oldNames.set(key, each)
        newNames.set(each.old, each.new)
      }
    },
    renamed(live, about) {
      const shift = shiftOf(about)
      const walk = {
        visit: ({ kind, value }: Mention) => oldName(kind, value) ?? oldName('unknown', value),
        shiftMs: -shift,
      }
      const reply = editReply(live, walk)
      return {
        ...live,
        startedAt: live.startedAt - shift,
        request: editRequest(live, walk),
        ...(reply ? { reply } : {}),
        ...renamedAbout(live, renamedText),
      }
    },
    isBoundElsewhere: (recorded, live) =>
      typeof recorded === 'string' &&
      typeof live === 'string' &&
      looksMinted(recorded) &&
      looksMinted(live) &&
      newNames.has(recorded),
    map: () =>
      [...oldNames.values()]
        .filter((each) => each.old !== each.new)
        .map(({ kind, old, new: now }) => ({ kind, old, new: now })),
  }
}
