import { describe, expect, it } from '@jest/globals';
import { endpointOf } from './address.js';

const BASE = 'http://localhost:3000';

describe('endpointOf', () => {
  it('takes an endpoint URL as it is, with its link key', () => {
    expect(endpointOf('https://api.example.com/a2a/@ann/desk?k=a%2Bb', BASE)).toBe(
      'https://api.example.com/a2a/@ann/desk?k=a%2Bb',
    );
  });

  it.each([BASE, `${BASE}/`])('[B46] puts @user/handle behind the service %s with one slash', (base) => {
    expect(endpointOf('@ann/desk', base)).toBe('http://localhost:3000/a2a/@ann/desk');
  });

  it('[B46] keeps a path of the service', () => {
    expect(endpointOf('@ann/desk', 'https://h/x/')).toBe('https://h/x/a2a/@ann/desk');
  });

  it('keeps the link key of @user/handle?k=…', () => {
    expect(endpointOf('@ann/desk?k=a%2Bb', BASE)).toBe('http://localhost:3000/a2a/@ann/desk?k=a%2Bb');
  });

  it.each(['ann/desk', '@ann', '@ann/desk/more', 'ftp://h/x', ''])('refuses %j', (address) => {
    expect(() => endpointOf(address, BASE)).toThrow('the address must be an endpoint URL or @user/handle');
  });

  it('[H2] refuses credentials in the address, which errors would quote', () => {
    const opening = () => endpointOf('https://ann:geheim@h/a2a/@ann/desk', BASE);
    expect(opening).toThrow('the address must not hold a user name or password');
  });

  it('names --base when the service is no URL', () => {
    expect(() => endpointOf('@ann/desk', 'localhost:3000')).toThrow('--base is not an http or https URL');
  });
});
