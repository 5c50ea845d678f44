/** Every measurement, in the order in which it is made and printed. */
import type { RowMaker } from '../row.ts'
import { edge } from './edge.ts'

export const rowMakers: readonly RowMaker[] = [edge]
