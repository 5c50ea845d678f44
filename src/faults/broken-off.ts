/** The option that all ways of breaking off share: whether the request took effect before. */
import { z } from 'zod'

export const effects = ['before', 'after'] as const

export const effectOption = z
  .enum(effects)
  .default('before')
  .describe('before the request takes effect where it goes, or after it has')
