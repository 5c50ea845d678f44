/**
 * One thing for each status that an order may have, in half the room of a map, and found without a search: every order that
 * is watched has two of these.
 */
import { type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'
import { rankOf } from './rank.ts'

export interface ByStatus<Value> {
  get(status: OrderStatus): Value | undefined
  set(status: OrderStatus, value: Value): void
  has(status: OrderStatus): boolean
  /** In the order of an order's life. */
  statuses(): readonly OrderStatus[]
}

class Places<Value> implements ByStatus<Value> {
  readonly #values: (Value | undefined)[] = orderStatuses.map(() => undefined)

  get(status: OrderStatus): Value | undefined {
    return this.#values[rankOf(status)]
  }

  set(status: OrderStatus, value: Value): void {
    this.#values[rankOf(status)] = value
  }

  has(status: OrderStatus): boolean {
    return this.get(status) !== undefined
  }

  statuses(): readonly OrderStatus[] {
    return orderStatuses.filter((status) => this.has(status))
  }
}

export const createByStatus = <Value>(): ByStatus<Value> => new Places()
