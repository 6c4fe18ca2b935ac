import { expect, test } from "vitest";
import { hostList } from "./host-list.ts";
import { isPublicAddress } from "../../text/index.ts";

test.each([
  { list: "example.com", host: "example.com", port: 443, is: true, because: "listed" },
  {
    list: "example.com",
    host: "EXAMPLE.com.",
    port: 80,
    is: true,
    because: "names have no case, and may end in a dot",
  },
  { list: "example.com", host: "www.example.com", port: 443, is: false, because: "only itself" },
  {
    list: "example.com",
    host: "notexample.com",
    port: 443,
    is: false,
    because: "names are compared by label",
  },
  {
    list: "example.com",
    host: "example.com.evil.org",
    port: 443,
    is: false,
    because: "names are compared to the end",
  },
  {
    list: "example.com",
    host: "example.com",
    port: 22,
    is: false,
    because: "only the ports of the web",
  },
  { list: "example.com:22", host: "example.com", port: 22, is: true, because: "the port is named" },
  {
    list: "example.com:22",
    host: "example.com",
    port: 443,
    is: false,
    because: "another port is named",
  },
  {
    list: "*.example.com",
    host: "a.b.example.com",
    port: 443,
    is: true,
    because: "every name below",
  },
  {
    list: "*.example.com",
    host: "example.com",
    port: 443,
    is: false,
    because: "not the name itself",
  },
  {
    list: "*.example.com",
    host: "evilexample.com",
    port: 443,
    is: false,
    because: "names are compared by label",
  },
  { list: "[::1]:8080", host: "::1", port: 8080, is: true, because: "an address in brackets" },
])("with $list, $host:$port is $is: $because", ({ list, host, port, is }) => {
  expect(hostList([list]).allows(host, port)).toBe(is);
});

test.each([
  { host: "example.com", address: "93.184.215.14", is: true },
  { host: "example.com", address: "127.0.0.1", is: false },
  { host: "example.com", address: "169.254.169.254", is: false },
  { host: "example.com", address: "::1", is: false },
  { host: "localhost", address: "127.0.0.1", is: true },
  { host: "localhost", address: "::1", is: true },
  { host: "localhost", address: "10.0.0.1", is: false },
  { host: "10.0.0.1", address: "10.0.0.1", is: true },
  { host: "10.0.0.1", address: "10.0.0.2", is: false },
  { host: "example.com", address: "example.com", is: false },
])("$host may lead to $address: $is", ({ host, address, is }) => {
  expect(hostList([host]).allowsAddress(host, address)).toBe(is);
});

test.each(
  `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.168.1.1
   198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 fe80::1 fc00::1 fd00:ec2::254
   ff02::1 2001::1 2001:db8::1 2002:7f00:1:: example.com 0x7f.1 2130706433`.split(/\s+/u),
)("%s is not of the open internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "93.184.215.14",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450::1",
])("%s is of the open internet", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
