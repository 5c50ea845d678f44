/** The orders that every server holds: created once from the seed data of the product, read by all from one file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createChance } from '../src/core/engine/chance.ts'
import { generateOrder } from '../src/core/partners/seed-data/orders.ts'
import { createPopulation } from '../src/core/partners/seed-data/population.ts'
import type { Order } from '../src/core/protocol/orders/order.ts'

export type BenchOrder = Order

/** When the orders were placed, in Unix milliseconds. */
const orderedAt = 1_767_625_200_000

export interface BenchDocuments {
  readonly file: string
  readonly count: number
  readonly meanBytes: number
}

export async function writeBenchDocuments(folder: string, count: number): Promise<BenchDocuments> {
  const chance = createChance(1, 'bench')
  const population = await createPopulation({ chance, now: orderedAt })
  const orders = Array.from({ length: count }, () =>
    generateOrder({ population, chance, now: orderedAt, type: 'DELIVERY', lines: 1 }),
  )
  const text = JSON.stringify(orders)
  const file = join(folder, 'orders.json')
  writeFileSync(file, text)
  return { file, count, meanBytes: Math.round(Buffer.byteLength(text) / count) }
}

/**
 * Returns a function that makes orders: copies of the documents in turn, each with a fresh id. Like orders that came over
 * the wire they share no part: writing one that is warm in the processor's cache costs half as much.
 */
export function createOrderSource(file: string): () => BenchOrder {
  const documents = JSON.parse(readFileSync(file, 'utf8')) as BenchOrder[]
  let next = 0
  return () => {
    const document = documents[next++ % documents.length]
    if (!document) throw new Error(`${file} holds no orders`)
    return { ...structuredClone(document), id: crypto.randomUUID() }
  }
}
