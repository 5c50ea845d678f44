/** The statuses of an account: in use, locked for payment, closed. */
import { z } from 'zod'

export const accountStatuses = ['IN_USE', 'IN_PAYMENT', 'CLOSED'] as const
export const AccountStatus = z.enum(accountStatuses)
export type AccountStatus = z.infer<typeof AccountStatus>
