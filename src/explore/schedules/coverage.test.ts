import { describe, expect, test } from 'vitest'
import { addCounts, callItem, eventItem, faultItem, heatMap, outcomeClass } from './coverage.ts'

test('items name the state of the order, and what happened in it', () => {
  expect(faultItem('CONFIRMED', 'fail', { operation: 'getOrder', order: 'o1', nth: 2 })).toBe(
    'fault CONFIRMED fail getOrder',
  )
  expect(callItem('CREATED', 'confirmOrder', '2xx')).toBe('call CREATED confirmOrder 2xx')
  expect(eventItem('-', 'CREATED', 'polling')).toBe('event - CREATED polling')
})

test('outcomes are told apart by the first digit of the status, and none is one of its own', () => {
  expect([0, 200, 204, 401, 503].map(outcomeClass)).toEqual(['none', '2xx', '2xx', '4xx', '5xx'])
})

test('counts add up over runs', () => {
  const sum = new Map([['call CREATED getOrder 2xx', 2]])
  addCounts(sum, { 'call CREATED getOrder 2xx': 3, 'event CREATED CONFIRMED polling': 1 })
  addCounts(sum, {})
  expect(Object.fromEntries(sum)).toEqual({
    'call CREATED getOrder 2xx': 5,
    'event CREATED CONFIRMED polling': 1,
  })
})

describe('the heat map', () => {
  const counts = new Map([
    ['fault READY fail getOrder', 2],
    ['fault READY fail confirmOrder', 3],
    ['fault CREATED drop polling CONFIRMED', 1],
    ['fault - hang pollingEvents', 4],
    ['call CREATED getOrder 2xx', 9],
    ['event SOMETHING CONFIRMED polling', 9],
  ])
  const map = heatMap(counts, ['CREATED', 'CONFIRMED', 'READY'])

  test('has the states in the order of a life, those of no life behind them, and only states with a fault', () => {
    expect(map.states).toEqual(['CREATED', 'READY', '-'])
  })

  test('has the faults in the order of the alphabet', () => {
    expect(map.faults).toEqual(['drop', 'fail', 'hang'])
  })

  test('adds up a fault at all messages in one state', () => {
    expect(map.count('READY', 'fail')).toBe(5)
    expect(map.count('-', 'hang')).toBe(4)
    expect(map.count('CREATED', 'fail')).toBe(0)
    expect(map.count('PREPARING', 'drop')).toBe(0)
  })
})
