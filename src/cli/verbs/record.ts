/** `sparring record`: a recording proxy between the user's service and a real partner. */
import { defineVerb } from '../verb.ts'
import { recordFlags } from '../record/record-flags.ts'

export const recordVerb = defineVerb({
  name: 'record',
  summary: 'stand between your service and a real partner and write a recording',
  arguments: [],
  flags: recordFlags,
  details: `
Your service calls the address that the readiness line shows for the partner; the partner, if it sends webhooks, calls
the one shown for your service. Bytes go through unchanged but for the Host; only a copy is redacted and written down.

Examples:
  sparring record --to https://sandbox.partner.example --as software-service
  sparring record --to https://sandbox.partner.example --as software-service --subject http://127.0.0.1:3000
  sparring record --to http://127.0.0.1:7101 --as software-service --port 7200 -o recordings/happy-path.rec.ndjson

Ends with 0 when it is stopped; what was recorded until then is whole and readable.`,
  async run(options, io) {
    const { runRecord } = await import('../record/run-record.ts')
    return runRecord(options, io)
  },
})
