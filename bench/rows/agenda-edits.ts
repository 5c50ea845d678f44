/**
 * Editing a long agenda: items are held, released, duplicated, delayed and moved, anywhere among very many. Wall time
 * per edit through the public API, against the same edits on one hand-written sorted array.
 */
import { loadBuiltLibrary } from '../built-library.ts'
import { costSpread, rotateVariants, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

/** Equals 50,000 edits a second. */
const maxMicros = 20

const ours = 'ours'
const byHand = 'by hand'

/** The same positions for both variants, far apart from each other. */
const positionOf = (edit: number, pending: number): number => (edit * 7919) % pending

async function measureOurs({ root, sizes }: BenchContext): Promise<number> {
  const { openSession } = await loadBuiltLibrary(root)
  await using session = await openSession({ listen: false, clock: 'stepped', only: [] })
  const { pending, edits } = sizes
  const ids: number[] = []
  for (let each = 0; each < pending; each++) {
    const planned = await session.submit({
      kind: 'agenda.plan',
      command: { kind: 'ticket.reconcile', orderId: 'nobody’s', round: 0 },
      afterMs: 3_600_000 + each,
    })
    const fact = planned.ok ? planned.value[0] : undefined
    if (fact?.kind === 'agenda.planned') ids.push(fact.item.id)
  }
  const began = performance.now()
  for (let edit = 0; edit < edits; edit++) {
    // Hold and release alternate on one item, so that the length of the agenda is stable.
    const id = ids[positionOf(edit - (edit % 5), pending)] ?? 0
    const done = await session.submit(
      (
        [
          { kind: 'agenda.hold', id },
          { kind: 'agenda.release', id },
          { kind: 'agenda.delay', id, byMs: 5 },
          { kind: 'agenda.move', id, to: 'later' },
          { kind: 'agenda.duplicate', id },
        ] as const
      )[edit % 5] ?? { kind: 'agenda.hold', id },
    )
    if (!done.ok) throw new Error(done.error.message)
  }
  return ((performance.now() - began) * 1000) / edits
}

interface Entry {
  due: number
}

/** The baseline: one sorted array with binary search. */
function measureByHand({ sizes: { pending, edits } }: BenchContext): number {
  const list: Entry[] = Array.from({ length: pending }, (_, due) => ({ due }))
  const all = [...list]
  function insertionIndex(due: number): number {
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle]?.due ?? 0) < due) low = middle + 1
      else high = middle
    }
    return low
  }
  const find = (entry: Entry): number => list.indexOf(entry, insertionIndex(entry.due))
  const insert = (entry: Entry): void => void list.splice(insertionIndex(entry.due), 0, entry)
  const remove = (entry: Entry): void => void list.splice(find(entry), 1)
  const began = performance.now()
  for (let edit = 0; edit < edits; edit++) {
    const entry = all[positionOf(edit - (edit % 5), pending)]
    if (!entry) continue
    if (edit % 5 === 0) remove(entry)
    else if (edit % 5 === 1) insert(entry)
    else if (edit % 5 === 2) {
      remove(entry)
      entry.due += 5
      insert(entry)
    } else if (edit % 5 === 3) {
      const at = find(entry)
      const next = list[at + 1]
      if (!next) continue
      const { due } = entry
      list[at] = next
      list[at + 1] = entry
      entry.due = next.due
      next.due = due
    } else insert({ ...entry })
  }
  return ((performance.now() - began) * 1000) / edits
}

export const agendaEdits: RowMaker = {
  names: ['agenda-edits'],
  quick: true,
  async measure(bench) {
    const rounds: RoundCosts[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const costs = new Map<string, number>()
      for (const variant of rotateVariants([ours, byHand], round)) {
        bench.showProgress(`agenda-edits: round ${round + 1}, ${variant}`)
        costs.set(variant, variant === ours ? await measureOurs(bench) : measureByHand(bench))
      }
      rounds.push(costs)
    }
    const line = (what: string): RowLine => ({
      what,
      ratio: workRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'µs per edit',
    })
    return [
      {
        kind: 'measured',
        name: 'agenda-edits',
        baseline: 'the same edits by hand on one sorted array',
        rounds: rounds.length,
        lines: [line(ours), line(byHand)],
        checks: [
          {
            what: 'an edit',
            value: costSpread(rounds, ours).median,
            unit: 'µs',
            atMost: maxMicros,
          },
        ],
        details: { pending: bench.sizes.pending, edits: bench.sizes.edits },
      },
    ]
  },
}
