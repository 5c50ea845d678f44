/** The lines of an order, which people name by their numbers, as the ids of its items. */
import type { SessionApi } from './session-api.ts'

export async function itemIdsOf(
  session: Pick<SessionApi, 'look'>,
  orderId: string,
): Promise<readonly string[]> {
  const { order } = await session.look({ orderId })
  const { items = [] } = (order?.document ?? {}) as {
    readonly items?: readonly { readonly id: string }[]
  }
  return items.map(({ id }) => id)
}
