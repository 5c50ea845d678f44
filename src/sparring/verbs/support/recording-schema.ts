/** JSON Schema of one line of a recording, of any type. */
import { z } from 'zod'
import {
  EndLine,
  HeaderLine,
  MarkLine,
  StateLine,
  RecordedHttpLine,
} from '../../../core/traffic/recording/format.ts'

const Line = z
  .union([
    HeaderLine.describe('the first line of every file: what was recorded, when and how'),
    RecordedHttpLine.describe('an exchange, which is an entry of the HTTP Archive format too'),
    MarkLine.describe('a bookmark'),
    StateLine.describe('a snapshot'),
    EndLine.describe('the last line of a recording that was closed'),
  ])
  .describe('one line of a recording: JSON whose first key is _rec')

export const recordingSchema = () => z.toJSONSchema(Line, { io: 'input', unrepresentable: 'any' })
