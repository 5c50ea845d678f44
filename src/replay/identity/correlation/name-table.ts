/**
 * The table of recorded and live identifiers: one-to-one within a kind. Violations are kept as conflicts, and the first
 * value wins.
 */
import { compact } from '../../../core/base/compact.ts'
import type { NameConflict, RenamedIdentifier } from '../../../core/traffic/recording/binding.ts'
import type { Site } from '../../../core/traffic/recording/correlation.ts'
import { minEmbeddedChars } from '../../../core/traffic/entities/identifier-shapes.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { meaningOfName } from '../../../core/traffic/entities/field-meaning.ts'
import type { IdentifierKind } from '../../../core/traffic/entities/identifier-kind.ts'

/** Renames the identifiers in the metadata of an exchange: `params`, `orderId`, `eventIds`. */
type ExchangeIds = Pick<Exchange, 'params' | 'orderId' | 'eventIds'>

/** New value of an identifier; `kind` where the protocol defines it. */
type Rename = (value: string, kind?: IdentifierKind) => string

export function renameExchangeIds(
  { params, orderId, eventIds, operation }: Exchange,
  rename: Rename,
): ExchangeIds {
  const renamedParams = Object.entries(params ?? {}).map(([name, value]) => [
    name,
    rename(value, meaningOfName(name, operation).kind),
  ])
  return {
    ...(params ? { params: Object.fromEntries(renamedParams) as Record<string, string> } : {}),
    ...(orderId === undefined ? {} : { orderId: rename(orderId, 'order') }),
    ...(eventIds ? { eventIds: eventIds.map((id) => rename(id, 'event')) } : {}),
  }
}

export type NameTable = ReturnType<typeof createNameTable>

/** Conflicts beyond this number are dropped: the first ones tell enough. */
const maxConflicts = 10_000

class NamePairs {
  readonly forth = new Map<string, RenamedIdentifier>()
  readonly back = new Map<string, string>()
}

export function createNameTable() {
  const kinds = new Map<string, NamePairs>()
  const forthAny = new Map<string, string>()
  const backAny = new Map<string, string>()
  const conflicts: NameConflict[] = []
  const reported = new Set<string>()

  function pairsOf(kind: string): NamePairs {
    let pairs = kinds.get(kind)
    if (!pairs) kinds.set(kind, (pairs = new NamePairs()))
    return pairs
  }

  return {
    newName: (kind: string, old: string): string | undefined =>
      kinds.get(kind)?.forth.get(old)?.new,
    oldName: (kind: string, live: string): string | undefined => kinds.get(kind)?.back.get(live),
    /** By value alone, for values that are long enough to be unambiguous. */
    oldNameOfAnyKind: (live: string): string | undefined => backAny.get(live),
    newNameOfAnyKind: (old: string): string | undefined => forthAny.get(old),
    /** The value that is bound instead, if any. */
    conflictingName(kind: string, old: string, live: string): string | undefined {
      const pairs = kinds.get(kind)
      const bound = pairs?.forth.get(old)?.new
      if (bound !== undefined) return bound === live ? undefined : bound
      const other = pairs?.back.get(live)
      return other === undefined || other === old ? undefined : other
    },
    put(kind: string, old: string, live: string, learned?: Site) {
      const pairs = pairsOf(kind)
      pairs.forth.set(old, { kind, old, new: live, ...compact({ learned }) })
      pairs.back.set(live, old)
      if (old.length < minEmbeddedChars || live.length < minEmbeddedChars) return
      if (!forthAny.has(old)) forthAny.set(old, live)
      if (!backAny.has(live)) backAny.set(live, old)
    },
    report(conflict: NameConflict) {
      const { kind, old, new: live, against } = conflict
      const key = [kind, old, live, against].join('\u0000')
      if (reported.has(key) || conflicts.length >= maxConflicts) return
      reported.add(key)
      conflicts.push(conflict)
    },
    rows: (): readonly RenamedIdentifier[] =>
      [...kinds.values()].flatMap(({ forth }) => [...forth.values()]),
    conflicts: (): readonly NameConflict[] => conflicts,
  }
}
