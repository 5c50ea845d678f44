/** The `effect` option shared by `hang` and `reset`: whether the request took effect before the connection failed. */
import { z } from 'zod'

export const effectTimings = ['before', 'after'] as const

export const effectOption = z
  .enum(effectTimings)
  .default('before')
  .describe('before the request takes effect where it goes, or after it has')
