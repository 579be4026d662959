#pragma once

int twice(int value);
