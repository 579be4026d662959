module github.com/sparkwheels/sparkwheels

go 1.24.0
