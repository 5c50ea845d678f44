/**
 * What the store must not forget: which events it has seen, and how far each order is. It is written down before anything
 * is done about it, to a file where one is named, so a service that was killed goes on where it was. Both lists are
 * bounded; of the file only what still counts is kept when it is opened.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { statuses } from './lifecycle.ts'
import { parsed } from './send.ts'

export const shipmentStates = ['wanted', 'available', 'there', 'own', 'undone'] as const

const Kept = z.object({
  orderId: z.string(),
  status: z.enum(statuses).optional(),
  halted: z.enum(['CANCELLED', 'CONCLUDED']).optional(),
  cancelled: z.boolean().optional(),
  shipment: z
    .object({ key: z.string(), state: z.enum(shipmentStates), attempted: z.boolean() })
    .optional(),
})
/** An order as it is written down. */
export type Kept = z.infer<typeof Kept>

const Line = z.union([z.object({ seen: z.string() }), z.object({ order: Kept })])

export interface Memory {
  readonly has: (key: string) => boolean
  /** Whether this is the first time; from now on it is not. */
  readonly first: (key: string) => boolean
  readonly keep: (order: Kept) => void
  readonly drop: (orderId: string) => void
  /** The orders that were written down before, oldest first. */
  readonly orders: () => readonly Kept[]
}

export interface MemoryOptions {
  readonly file?: string | undefined
  /** Keys that are remembered; the oldest are forgotten. */
  readonly mostSeen?: number
}

export function createMemory({ file, mostSeen = 100_000 }: MemoryOptions = {}): Memory {
  const seen = new Set<string>()
  const orders = new Map<string, Kept>()
  let lines = 0

  function remember(key: string): void {
    seen.add(key)
    const [oldest] = seen
    if (seen.size > mostSeen && oldest !== undefined) seen.delete(oldest)
  }

  function rewrite(path: string): void {
    const kept = [
      ...Array.from(seen, (key) => ({ seen: key })),
      ...Array.from(orders.values(), (order) => ({ order })),
    ]
    // In one move: a service that dies on the way has the old file or the new one.
    writeFileSync(`${path}.new`, kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
    renameSync(`${path}.new`, path)
    lines = kept.length
  }

  function write(line: z.infer<typeof Line>): void {
    if (file === undefined) return
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    lines += 1
    if (lines > 4 * (seen.size + orders.size) + 1000) rewrite(file)
  }

  if (file !== undefined) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    for (const each of text.split('\n')) {
      // The last line of a service that was killed may be half a line.
      const line = Line.safeParse(parsed(each))
      if (!line.success) continue
      if ('seen' in line.data) remember(line.data.seen)
      else orders.set(line.data.order.orderId, line.data.order)
    }
    rewrite(file)
  }

  return {
    has: (key) => seen.has(key),
    first(key) {
      if (seen.has(key)) return false
      remember(key)
      write({ seen: key })
      return true
    },
    keep(order) {
      if (JSON.stringify(orders.get(order.orderId)) === JSON.stringify(order)) return
      orders.set(order.orderId, order)
      write({ order })
    },
    drop: (orderId) => void orders.delete(orderId),
    orders: () => [...orders.values()],
  }
}
