/** The limits of Customer that its manifest declares and that a host holds every client to (LIM-CUS-01 to 04, LIM-UND-01). */
import { z } from 'zod'
import type { Conduct } from '../conduct.ts'
import type { Declaration } from '../discovery/manifest.ts'
import type { Operation } from '../operation.ts'

export interface RequestLimits {
  readonly requestsPerSecond: number
  readonly payloadBytes: number
}

/** What a request of this operation may not exceed; undefined where nothing is declared or enforced. */
export function limitsOf(
  { capability }: Pick<Operation, 'capability'>,
  { customer }: Pick<Conduct, 'customer'>,
): RequestLimits | undefined {
  if (capability !== 'customer' || !customer.enforceLimits) return undefined
  const { requestsPerSecond, maxPayloadSizeKb } = customer
  return { requestsPerSecond, payloadBytes: maxPayloadSizeKb * 1024 }
}

/** What a participant declares of how it exchanges customer data. */
export interface CustomerLimits {
  /** `push`, `pull` or both, where it says so (CUS-UND-01); else its operations tell. */
  readonly integrationModes?: readonly string[]
  readonly supportsBatchGet?: boolean
  readonly supportsBatchPost?: boolean
  readonly maxBatchSize?: number
  readonly maxGetPeriodDays?: number
  readonly requestsPerSecond?: number
}

const Modes = z.array(z.string())

/** The limits in a declaration; none where it names none. A figure below one is no limit that anybody could keep. */
export function declaredLimits(declaration: Declaration): { readonly limits?: CustomerLimits } {
  const { supportsBatchGet, supportsBatchPost } = declaration
  const modes = Modes.safeParse(declaration['integrationModes'])
  const figures = (['maxBatchSize', 'maxGetPeriodDays', 'requestsPerSecond'] as const).flatMap(
    (name) => {
      const figure = declaration[name]
      return figure === undefined || figure < 1 ? [] : [[name, figure] as const]
    },
  )
  const limits: CustomerLimits = {
    ...(supportsBatchGet === undefined ? {} : { supportsBatchGet }),
    ...(supportsBatchPost === undefined ? {} : { supportsBatchPost }),
    ...(modes.success ? { integrationModes: modes.data } : {}),
    ...Object.fromEntries(figures),
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

export const dayMs = 86_400_000
