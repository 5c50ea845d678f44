/** Near misses of a service whose calls fail, or whose events come when none is expected: what is a mistake, what is none. */
import { describe, expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { checks } from '../../../core/rules/checks/catalogue.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import { createTrace, type TraceNote } from '../../../core/rules/checks/trace.ts'

const role = 'software-service'
const step = (path: string): readonly [method: string, path: string] => [
  'POST',
  `orders/{order}/${path}`,
]

/** The calls of a story, and where they go. */
const calls: Partial<Record<OperationId, readonly [method: string, path: string]>> = {
  getOrder: ['GET', 'orders/{order}'],
  confirmOrder: step('confirm'),
  setOrderPreparing: step('preparing'),
  setOrderDelivered: step('delivered'),
  pollingEvents: ['GET', 'events:polling'],
  acknowledgeEvents: ['POST', 'events/acknowledgment'],
}

function exchangeOf(seq: number, second: number, line: string): Exchange {
  const [orderId = '', operation = '', status = '', ...rest] = line.split(' ')
  const [method = '', path = ''] = calls[operation as OperationId] ?? []
  const [more = '', eventId = ''] = rest
  const event = { eventId, eventType: more, orderId }
  const replies: Readonly<Record<string, unknown>> = {
    getOrder: { id: orderId, status: more, fulfillment: { orderType: 'DELIVERY' } },
    pollingEvents: [event],
  }
  return sampleExchange(seq, {
    startedAt: sampleT0 + second * 1000,
    operation: operation as OperationId,
    orderId,
    params: { orderId },
    request: {
      method,
      url: `http://x/${path.replace('{order}', orderId)}`,
      headers: [['X-Request-Id', `${operation} ${orderId}`]],
      ...(operation === 'acknowledgeEvents' ? { body: JSON.stringify({ eventIds: [more] }) } : {}),
    },
    reply: { status: Number(status), headers: [], body: JSON.stringify(replies[operation] ?? {}) },
  })
}

/** What is found of a clause in a story: a line for each call or note, with its second. */
function found(clause: string, ...story: readonly string[]) {
  const check = checks.find(
    ({ clauses, roles }) => clauses.includes(clause) && roles.includes(role),
  )
  if (!check) throw new Error(`there is no check of ${clause}`)
  const exchanges: Exchange[] = []
  const notes: TraceNote[] = []
  for (const each of story) {
    const [second = '', kind, ...words] = each.split(' ')
    if (kind === 'note') {
      const [procedure = '', name = '', text = ''] = words
      notes.push({ procedure, name, text, after: exchanges.length })
    } else
      exchanges.push(
        exchangeOf(exchanges.length + 1, Number(second), each.slice(second.length + 1)),
      )
  }
  const { outcome, problems } = judgeCheck(
    check,
    createTrace({
      role,
      speaks: 'v2',
      capabilities: ['orders'],
      exchanges,
      steps: {},
      notes,
      skipped: {},
    }),
  )
  return [outcome, ...problems.map(({ text }) => text)]
}

describe('[ORD-OPS-02] an acknowledgment that fails', () => {
  const polled = '1 o1 pollingEvents 200 CREATED e1'
  const failed = '2 o1 acknowledgeEvents 503 e1'
  const later = '40 o1 getOrder 200 CREATED'

  test('that the service makes again, now or when the event comes again, is as it should be', () => {
    const again = '4 o1 acknowledgeEvents 202 e1'
    expect(found('ORD-OPS-02', polled, failed, again, later)).toEqual(['passed'])
    expect(
      found('ORD-OPS-02', polled, failed, '3 o1 pollingEvents 200 CREATED e1', again, later),
    ).toEqual(['passed'])
  })

  test('and has taken effect all the same need not be made again: the event does not come back', () => {
    expect(found('ORD-OPS-02', polled, failed, later)).toEqual(['passed'])
  })

  test('and is made no more while the event comes again and again is a mistake', () => {
    const again = '3 o1 pollingEvents 200 CREATED e1'
    expect(found('ORD-OPS-02', polled, failed, again, later)).toEqual([
      'failed',
      'it did not acknowledge CREATED e1, which it had polled, after an acknowledgment of it had failed',
    ])
  })

  test('at the end of the traffic still has time', () => {
    expect(
      found(
        'ORD-OPS-02',
        polled,
        failed,
        '4 o1 pollingEvents 200 CREATED e1',
        '9 o1 getOrder 200 CREATED',
      ),
    ).toEqual(['skipped'])
  })
})

describe('[ORD-GEN-05] an order whose first read fails', () => {
  const polled = '1 o1 pollingEvents 200 CREATED e1'
  const failed = '2 o1 getOrder 500'
  const note = '30 note troubled-orders read-failed o1'

  test('is read again and confirmed', () => {
    const story = [polled, failed, '3 o1 getOrder 200 CREATED', '4 o1 confirmOrder 202', note]
    expect(found('ORD-GEN-05', ...story)).toEqual(['passed'])
  })

  test('is lost where it is not read again', () => {
    expect(found('ORD-GEN-05', polled, failed, note)).toEqual([
      'failed',
      'it did not read an order that CREATED had announced',
    ])
  })

  test('is nothing to a service that was never told of it', () => {
    expect(found('ORD-GEN-05', failed, note)).toEqual(['skipped'])
  })
})

describe('[ORD-GEN-05] an order that is open while the service restarts', () => {
  const before = [
    '1 o1 pollingEvents 200 CREATED e1',
    '2 o1 getOrder 200 CREATED',
    '3 o1 confirmOrder 503',
    '4 note begin-anew begins-anew hidden',
    '5 note begin-anew begins-anew valid',
  ]
  const again = '6 o1 pollingEvents 200 CREATED e1'
  const note = '50 note begin-anew open-at-restart o1'

  test('is read or moved when its event comes again', () => {
    expect(found('ORD-GEN-05', ...before, again, '7 o1 confirmOrder 202', note)).toEqual(['passed'])
    expect(found('ORD-GEN-05', ...before, again, '7 o1 getOrder 200 CREATED', note)).toEqual([
      'passed',
    ])
  })

  test('is moved before its event comes again', () => {
    expect(found('ORD-GEN-05', ...before, '6 o1 confirmOrder 202', again, note)).toEqual(['passed'])
  })

  test('must not be forgotten where the event is known', () => {
    const story = [...before, again, '7 o1 acknowledgeEvents 202 e1', note]
    expect(found('ORD-GEN-05', ...story)).toEqual([
      'failed',
      'it got CREATED again after its restart, and neither read nor moved the order',
    ])
  })

  test('is not asked for where no event of it came again: what a service keeps is its own affair', () => {
    expect(found('ORD-GEN-05', ...before, note)).toEqual(['skipped'])
  })
})

describe('[ORD-CAN-04] an order whose cancellation was denied', () => {
  const denial = [
    '1 o1 getOrder 200 CONFIRMED',
    '2 o1 pollingEvents 200 CANCELLATION_REQUEST_DENIED e1',
    '2 note service-cancellations beside-a-denial o2',
  ]
  const read = '3 o1 getOrder 200 CONFIRMED'
  const other = '20 o2 setOrderDelivered 202'
  const note = '32 note service-cancellations denial-waited-out o1'

  test('goes on', () => {
    expect(found('ORD-CAN-04', ...denial, read, '4 o1 setOrderPreparing 202', other, note)).toEqual(
      ['passed'],
    )
  })

  test('is read, where the service takes no other order further by itself either', () => {
    expect(found('ORD-CAN-04', ...denial, read, note)).toEqual(['passed'])
  })

  test('must not be held while another comes to its end', () => {
    expect(found('ORD-CAN-04', ...denial, read, other, note)).toEqual([
      'failed',
      'it did not move an order any more after the request to cancel it was denied, and took another to its end meanwhile',
    ])
  })

  test('that was over before is left alone', () => {
    const over = '1 o1 getOrder 200 DELIVERED'
    expect(found('ORD-CAN-04', over, ...denial.slice(1), other, note)).toEqual(['skipped'])
  })
})

describe('[ORD-EVR-03] a hundred events', () => {
  const confirmed = '1 o1 confirmOrder 202'
  const burst = '0 note event-burst burst o1'

  test('cause no step twice', () => {
    expect(found('ORD-EVR-03', burst, confirmed, '2 o1 setOrderPreparing 202')).toEqual(['passed'])
    expect(found('ORD-EVR-03', burst, confirmed, '2 o1 confirmOrder 202')).toEqual([
      'failed',
      'it repeated confirmOrder after many events had come at once',
    ])
  })

  test('do not make a failed attempt a step', () => {
    expect(found('ORD-EVR-03', burst, '1 o1 confirmOrder 503', confirmed)).toEqual(['passed'])
  })
})

describe('[ORD-CAN-02] an order that is cancelled while its confirmation fails', () => {
  const note = '2 note troubled-orders cancelled-meanwhile o1'
  const polled = '3 o1 pollingEvents 200 CANCELLED e2'
  const cancelled = '3 o1 acknowledgeEvents 202 e2'

  test('is left alone by a service that has heard of it, and tried by one that has not', () => {
    expect(found('ORD-CAN-02', '1 o1 confirmOrder 503', note, polled, cancelled)).toEqual([
      'passed',
    ])
    const early = ['1 o1 confirmOrder 503', note, '2.5 o1 confirmOrder 409', polled, cancelled]
    expect(found('ORD-CAN-02', ...early)).toEqual(['passed'])
  })

  test('must not be tried again', () => {
    expect(
      found(
        'ORD-CAN-02',
        '1 o1 confirmOrder 503',
        note,
        polled,
        cancelled,
        '5 o1 confirmOrder 409',
      ),
    ).toEqual(['failed', 'it called confirmOrder for an order that it knew to be cancelled'])
  })

  test('is warned of where the call comes at once after its own GET', () => {
    const read = '3.1 o1 getOrder 200 CANCELLED'
    const story = ['1 o1 confirmOrder 503', note, polled, read, '3.2 o1 confirmOrder 409']
    expect(found('ORD-CAN-02', ...story, cancelled)).toEqual([
      'warning',
      'it called confirmOrder at once after it had read CANCELLED',
    ])
  })
})

describe('[TRN-STA-12] a confirmation that is answered 503 for 12 s', () => {
  const story = ['1 o1 confirmOrder 503', '3 o1 confirmOrder 503', '8 o1 confirmOrder 503']
  const note = '70 note troubled-orders outage-over o1'

  test('succeeds once it can, or is found to be needless', () => {
    expect(found('TRN-STA-12', ...story, '24 o1 confirmOrder 202', note)).toEqual(['passed'])
    expect(found('TRN-STA-12', ...story, '24 o1 confirmOrder 409', note)).toEqual(['passed'])
  })

  test('is given up: no clause says how long a service tries', () => {
    expect(found('TRN-STA-12', ...story, note)).toEqual([
      'warning',
      'it gave up an order whose confirmation was answered 503 for 12 s',
    ])
  })
})

describe('[AUT-TOK-04] a retry that is answered 401', () => {
  const story = [
    '0 note revoked-on-retry begins o1',
    '1 o1 confirmOrder 503',
    '2 o1 confirmOrder 401',
  ]
  const note = '70 note revoked-on-retry ends o1'

  test('is made again with a new token', () => {
    expect(
      found('AUT-TOK-04', ...story, '3 o1 issueToken 200', '3.5 o1 confirmOrder 202', note),
    ).toEqual(['passed'])
  })

  test('must not be lost, nor be made with the same token', () => {
    expect(found('AUT-TOK-04', ...story, note)).toEqual([
      'failed',
      'it does not make confirmOrder again that was answered 503 and then 401',
    ])
    expect(found('AUT-TOK-04', ...story, '4 o1 confirmOrder 401', note)[0]).toBe('failed')
  })
})
