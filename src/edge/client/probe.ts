/** Asks the subject what it makes of an order itself, where it lets somebody look. */
import type { Destination } from './destinations.ts'

export interface Probed {
  /** Undefined when it knows of no such order, or says no status. */
  readonly status: string | undefined
}

function statusIn(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body)
    const status: unknown =
      typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'status') : undefined
    return typeof status === 'string' ? status : undefined
  } catch {
    return undefined
  }
}

/** Undefined when nothing can be learned: nobody answered, or not with a view of the order. */
export async function probeOrder(
  { base, reach }: Destination,
  path: string,
  orderId: string,
): Promise<Probed | undefined> {
  const url = `${base}${path.replace('{orderId}', encodeURIComponent(orderId))}`
  try {
    const { status, body } = await reach({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
    })
    if (status === 404) return { status: undefined }
    return status === 200 ? { status: statusIn(body) } : undefined
  } catch {
    return undefined
  }
}
