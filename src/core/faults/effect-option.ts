/** The `effect` option shared by `hang` and `reset`: whether the request took effect before the connection failed. */
import { oneWord } from '../protocol/setting.ts'

export const effectTimings = ['before', 'after'] as const

export const effectOption = oneWord(effectTimings, 'before').describe(
  'before the request takes effect where it goes, or after it has',
)
