/** Loaded into another mock server before it starts, so that it can be asked what it has cost. */
import { answer } from '../asks.ts'
import { usage } from '../servers/report.ts'

answer({ usage, calm: () => ({}), stop: () => ({}) }, { port: 0, token: '' })
