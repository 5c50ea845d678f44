/**
 * Durable store of processed event ids and order states, appended to a file before anything acts on them, so that a
 * killed service resumes. Both sets are bounded; the file is compacted when it is opened and when it grows.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { statuses } from './lifecycle.ts'
import { parseJson } from './send.ts'

export const shipmentStates = ['wanted', 'available', 'there', 'own', 'undone'] as const

const OrderRecord = z.object({
  orderId: z.string(),
  status: z.enum(statuses).optional(),
  halted: z.enum(['CANCELLED', 'CONCLUDED']).optional(),
  cancelled: z.boolean().optional(),
  printed: z.number().optional(),
  shipment: z
    .object({ key: z.string(), state: z.enum(shipmentStates), attempted: z.boolean() })
    .optional(),
})
/** An order as stored. */
export type OrderRecord = z.infer<typeof OrderRecord>

const Line = z.union([z.object({ processed: z.string() }), z.object({ order: OrderRecord })])
export type StoredLine = z.infer<typeof Line>

export interface DurableStore {
  readonly isProcessed: (key: string) => boolean
  /** Marks a key as processed; returns whether it was new. */
  readonly markProcessed: (key: string) => boolean
  readonly saveOrder: (order: OrderRecord) => void
  readonly removeOrder: (orderId: string) => void
  /** The stored orders, oldest first. */
  readonly orders: () => readonly OrderRecord[]
}

export interface DurableStoreOptions {
  readonly file?: string | undefined
  /** Maximum number of processed keys; the oldest are evicted. */
  readonly maxProcessed?: number
  /** Whether a line is written; what is not outlasts no process. */
  readonly keeps?: (line: StoredLine) => boolean
}

export function createDurableStore({
  file,
  maxProcessed = 100_000,
  keeps = () => true,
}: DurableStoreOptions = {}): DurableStore {
  const processed = new Set<string>()
  const orders = new Map<string, OrderRecord>()
  let lines = 0

  function remember(key: string): void {
    processed.add(key)
    const [oldest] = processed
    if (processed.size > maxProcessed && oldest !== undefined) processed.delete(oldest)
  }

  function rewrite(path: string): void {
    const entries = [
      ...Array.from(processed, (key) => ({ processed: key })),
      ...Array.from(orders.values(), (order) => ({ order })),
    ].filter(keeps)
    // Atomic rename: after a crash the file is either the old or the new one.
    writeFileSync(`${path}.new`, entries.map((line) => `${JSON.stringify(line)}\n`).join(''))
    renameSync(`${path}.new`, path)
    lines = entries.length
  }

  function write(line: StoredLine): void {
    if (file === undefined || !keeps(line)) return
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    lines += 1
    if (lines > 4 * (processed.size + orders.size) + 1000) rewrite(file)
  }

  if (file !== undefined) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    for (const each of text.split('\n')) {
      // The last line may be incomplete after a crash.
      const line = Line.safeParse(parseJson(each))
      if (!line.success) continue
      if ('processed' in line.data) remember(line.data.processed)
      else orders.set(line.data.order.orderId, line.data.order)
    }
    rewrite(file)
  }

  return {
    isProcessed: (key) => processed.has(key),
    markProcessed(key) {
      if (processed.has(key)) return false
      remember(key)
      write({ processed: key })
      return true
    },
    saveOrder(order) {
      if (JSON.stringify(orders.get(order.orderId)) === JSON.stringify(order)) return
      orders.set(order.orderId, order)
      write({ order })
    },
    removeOrder: (orderId) => void orders.delete(orderId),
    orders: () => [...orders.values()],
  }
}
