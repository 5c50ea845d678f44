/** Limits of Customer, declared in the manifest and enforced by the host (LIM-CUS-01 to 04, LIM-UND-01). */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import type { Conduct } from '../conduct.ts'
import type { CapabilityBlock } from '../discovery/manifest.ts'
import type { Operation } from '../operation.ts'

export interface RequestLimits {
  readonly requestsPerSecond: number
  readonly payloadKb: number
}

/** Limits of a request of this operation; undefined if none are declared or enforced. */
export function requestLimitsOf(
  { capability }: Pick<Operation, 'capability'>,
  { customer }: Pick<Conduct, 'customer'>,
): RequestLimits | undefined {
  if (capability !== 'customer' || !customer.enforceLimits) return undefined
  const { requestsPerSecond, maxPayloadSizeKb } = customer
  return { requestsPerSecond, payloadKb: maxPayloadSizeKb }
}

/** Declared modes and limits of a participant's customer data exchange. */
export interface CustomerLimits {
  /** `push`, `pull` or both, if declared (CUS-UND-01); else derived from its operations. */
  readonly integrationModes?: readonly string[]
  readonly supportsBatchGet?: boolean
  readonly supportsBatchPost?: boolean
  readonly maxBatchSize?: number
  readonly maxGetPeriodDays?: number
  readonly requestsPerSecond?: number
}

const Modes = z.array(z.string())

/** The limits in a declaration; absent if it has none. Figures below 1 are ignored. */
export function declaredLimits(declaration: CapabilityBlock): { readonly limits?: CustomerLimits } {
  const { supportsBatchGet, supportsBatchPost } = declaration
  const modes = Modes.safeParse(declaration['integrationModes'])
  const figures = (['maxBatchSize', 'maxGetPeriodDays', 'requestsPerSecond'] as const).flatMap(
    (name) => {
      const figure = declaration[name]
      return figure === undefined || figure < 1 ? [] : [[name, figure] as const]
    },
  )
  const limits: CustomerLimits = {
    ...compact({ supportsBatchGet, supportsBatchPost }),
    ...(modes.success ? { integrationModes: modes.data } : {}),
    ...Object.fromEntries(figures),
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

export const msPerDay = 86_400_000
